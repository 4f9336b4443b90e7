"""Our own YAML files, read by the parser in C where there is one: 8 times as fast."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """What a file says.

    Raises:
        OSError, UnicodeDecodeError, yaml.YAMLError: it cannot be read.
    """
    return yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)
