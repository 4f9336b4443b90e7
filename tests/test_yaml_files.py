"""Our own YAML files are read as the plain, safe parser reads them."""

from __future__ import annotations

import pytest
import yaml

from core.yaml_files import read_yaml


def test_a_file_is_read_as_the_safe_parser_reads_it(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text("- id: é\n  n: [1, 2]\n", encoding="utf-8")
    assert read_yaml(path) == [{"id": "é", "n": [1, 2]}]


def test_a_file_that_would_make_an_object_is_refused(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text("!!python/object/apply:os.getcwd []", encoding="utf-8")
    with pytest.raises(yaml.YAMLError):
        read_yaml(path)
