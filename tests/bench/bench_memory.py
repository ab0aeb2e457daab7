"""The memory that tiles take above inputs and output, each case in a fresh process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.growth import fitted_exponent

pytestmark = pytest.mark.bench

ALLOWED = 64
"""MiB above inputs and output."""

PROBE = """
import re, sys
from pathlib import Path
import numpy as np
from engine import attend_tiled

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

heads, queries, n = map(int, sys.argv[1:])
query, key, value = np.random.default_rng(0).standard_normal((3, heads, n, 64), dtype=np.float32)
before = peak()
output = attend_tiled(query[:, n - queries :], key, value, causal=True, offset=n - queries)
print(peak() - before - output.nbytes // 1024)
"""


def mebibytes_above(heads, queries, n):
    command = [sys.executable, "-c", PROBE, str(heads), str(queries), str(n)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(said) / 1024


def test_peak_memory_above_inputs_and_output():
    """Of eight heads of 65,536 keys only the last 4,096 queries, since all would take minutes."""
    rows = []
    print()
    for heads, queries, n in (
        (1, 16384, 16384),
        (8, 16384, 16384),
        (8, 4096, 65536),
        (1, 65536, 65536),
    ):
        mebibytes = mebibytes_above(heads, queries, n)
        rows.append({"heads": heads, "queries": queries, "n": n, "MiB": mebibytes})
        print(json.dumps(rows[-1]), flush=True)
    Path("bench_memory.json").write_text(json.dumps(rows, indent=1))
    assert all(row["MiB"] < ALLOWED for row in rows)


def test_what_is_held_grows_as_n():
    """Inputs of eight heads, and what the last 512 queries take above them and their output."""
    sizes = [8192, 16384, 32768, 65536]
    held = [3 * 8 * n * 64 * 4 / 2**20 + mebibytes_above(8, 512, n) for n in sizes]
    print(f"\nmemory grows as n^{fitted_exponent(sizes, held):.2f}")
