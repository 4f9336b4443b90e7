"""The LayerNorm page: numbers typed in, mistakes kept and said, the model's own norms."""

from __future__ import annotations

import pytest

from tests.app.test_pages import check, opened

FILE = "block/layernorm.py"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("vector", "100, abc", "numbers separated by commas"),
        ("vector", "5", "between 2 and"),
        ("gain", "1, 2", "4 numbers"),
        ("shift", "<b>", "numbers separated by commas"),
        ("eps", "-1", "0 or more"),
    ],
)
def test_a_mistake_is_said_and_what_was_typed_is_kept(name, text, said):
    app = opened(FILE)
    app.text_input(key=f"control-{name}").set_value(text).run()
    check(app)
    assert any(said in error.value for error in app.error)
    assert app.text_input(key=f"control-{name}").value == text
    # The rest of the page is still there.
    app.run()
    check(app)
    assert any(said in error.value for error in app.error)
    assert any("gradient" in block.value for block in app.markdown)


def test_typing_another_vector_is_in_the_link():
    app = opened(FILE)
    app.text_input(key="control-vector").set_value("1, 2, 3").run()
    check(app)
    assert not app.error
    assert "".join(app.query_params["vector"]) == "1, 2, 3"


@pytest.mark.parametrize("model", ["gpt", "bert"])
@pytest.mark.parametrize("norm", ["ln_1", "ln_2", "final_norm", "embed.ln", "nonsense"])
def test_every_norm_of_a_token_opens(model, norm):
    app = opened(FILE, source="text", model=model, norm=norm, layer="5", blocks="own")
    check(app)
    assert not app.error


def test_the_depth_is_asked_for_fresh_blocks_only():
    app = opened(FILE, depth="3")
    assert app.slider(key="control-depth").value == 3
    app.button_group(key="control-blocks").set_value("own").run()
    check(app)
    assert not [s for s in app.slider if s.key == "control-depth"]


def test_what_did_not_fit_is_said_though_no_strip_shows_the_text():
    for file in ("home.py", "block/layernorm.py"):
        app = opened(file, text="word " * 2000)
        check(app)
        assert any("is left out: " in part.proto.body for part in app.get("html"))
        whole = opened(file, text="A word")
        assert not any("is left out: " in part.proto.body for part in whole.get("html"))
