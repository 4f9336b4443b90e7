"""Seeing every number of a run: the tap, the trace, and the catalogue of sites.

The tap stands below the layers that call it, a traced run above the models; so
what needs a model is imported when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from core.tracing.tap import NO_TAP, Recorder, Tap

if TYPE_CHECKING:
    from core.tracing.edits import Edit
    from core.tracing.run import trace_run
    from core.tracing.trace import Trace

__all__ = ["NO_TAP", "Edit", "Recorder", "Tap", "Trace", "trace_run"]


def __getattr__(name: str) -> Any:
    if name == "Edit":
        from core.tracing.edits import Edit

        return Edit
    if name == "trace_run":
        from core.tracing.run import trace_run

        return trace_run
    if name == "Trace":
        from core.tracing.trace import Trace

        return Trace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
