"""What can be asked: every class of request in core/runs/kinds."""

from __future__ import annotations

import importlib
import pkgutil

from core.runs import kinds
from core.runs.request import Request

MODULES = [importlib.import_module(f"{kinds.__name__}.{one.name}")
           for one in pkgutil.iter_modules(kinds.__path__)]  # fmt: skip
KINDS = {kind for module in MODULES for kind in vars(module).values()
         if isinstance(kind, type) and issubclass(kind, Request)
         and kind.__module__ == module.__name__}  # fmt: skip
