"""Which processor: what is there is taken, what is not there is a clear error."""

from __future__ import annotations

import pytest
import torch

from core.device import available_devices, resolve_device
from core.errors import DeviceUnavailableError


@pytest.fixture
def machine(monkeypatch):
    """A machine that has what is named."""

    def have(*names: str) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: "cuda" in names)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: "mps" in names)

    return have


@pytest.mark.parametrize(
    ("has", "best"),
    [((), "cpu"), (("mps",), "mps"), (("cuda",), "cuda"), (("cuda", "mps"), "cuda")],
)
def test_auto_takes_cuda_then_mps_then_the_cpu(machine, has, best):
    machine(*has)
    assert resolve_device() == resolve_device("auto") == torch.device(best)
    assert available_devices()[0] == best
    assert available_devices()[-1] == "cpu"


def test_a_device_that_is_there_is_taken(machine):
    machine("cuda")
    assert resolve_device("cuda") == torch.device("cuda")
    assert resolve_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize("name", ["cuda", "mps", "tpu", "", "cuda:7", "CPU", "meta"])
def test_a_device_that_is_not_there_is_an_error_that_lists_what_is(machine, name):
    machine()
    with pytest.raises(DeviceUnavailableError) as caught:
        resolve_device(name)
    message = f"device '{name}' is not available here; choose one of auto, cpu"
    assert str(caught.value) == message
    assert caught.value.available == ("auto", "cpu")
