"""``make bench``: how fast we are beside the libraries everyone knows, and what a click costs.

Absolute times do not carry over from machine to machine; ratios measured in the
same run do, so most goals are ratios. Exits with 1 when something is above its limit.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

import torch

from tests.benchmarks import (
    bpe,
    classroom,
    flow,
    gpt,
    in_browser,
    jobs,
    pages,
    strokes,
    visitor,
    walk,
)


def main() -> int:
    """Run every race and print a line for each."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, {torch.get_num_threads()} threads; "
          f"torch {torch.__version__}; rounds in turn, medians")  # fmt: skip
    print(f"{cpu()}; torch uses {torch.backends.cpu.get_cpu_capability()}")
    held = True
    for part in (gpt, bpe, walk, pages, in_browser, flow, strokes, classroom, visitor, jobs):
        for r in part.results():
            print(r, flush=True)
            held &= r.held
    return 0 if held else 1


def cpu() -> str:
    """Its name, and which of the instructions it has that decide how fast matrices are."""
    wanted = ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_bf16", "amx_int8", "bf16")
    try:
        facts = dict(
            line.split(":", 1)
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if ":" in line
        )
    except OSError:  # no Linux
        return platform.processor() or platform.machine()
    facts = {name.strip(): value.strip() for name, value in facts.items()}
    has = facts.get("flags", facts.get("Features", "")).split()
    return f"{facts.get('model name', '')}, {' '.join(flag for flag in wanted if flag in has)}"


if __name__ == "__main__":
    sys.exit(main())
