"""Threads of the server share few heaps."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

# Each of many threads takes and frees memory; the library then says how many heaps that were.
COUNT = """
import ctypes, re, sys, tempfile, threading
from pages.server.heaps import keep_few_heaps
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.fopen.restype = ctypes.c_void_p, ctypes.c_void_p
if sys.argv[1] == "few":
    keep_few_heaps()
all_there = threading.Barrier(12)
def take():
    libc.free(ctypes.c_void_p(libc.malloc(50_000)))
    all_there.wait()
threads = [threading.Thread(target=take) for _ in range(12)]
[one.start() for one in threads], [one.join() for one in threads]
with tempfile.NamedTemporaryFile() as file:
    out = ctypes.c_void_p(libc.fopen(file.name.encode(), b"w"))
    libc.malloc_info(0, out), libc.fclose(out)
    print(len(re.findall(b"<heap nr=", file.read())))
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="not the GNU C library")
def test_many_threads_share_few_heaps():
    def heaps(how: str) -> int:
        command = [sys.executable, "-c", COUNT, how]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    few, many = heaps("few"), heaps("as it is")
    assert few <= 2 < many
