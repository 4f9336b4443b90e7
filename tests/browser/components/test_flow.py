"""The run that flows, as it is told."""

from __future__ import annotations

SWEEP = 1000  # ms after which a text that was typed runs through the layers


def test_a_text_that_comes_while_another_is_told_is_told_from_its_beginning(still, payload_of):
    def tell(text: str):
        payload = payload_of("map.flow", model="gpt", text=text)
        header = {**payload.header, "tells": True}
        one = still.show("flow", type(payload)(header, payload.arrays))
        still.pass_time(SWEEP)
        return one

    tell("the cat sat on the mat")
    tell("a dog ran")
    one = tell("the bird sang")
    assert one.get_by_role("button", name="Skip").is_visible()
    still.pass_time(10_000)
    assert one.get_by_role("button", name="Watch it again").is_visible()
