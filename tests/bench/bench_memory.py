"""The memory that tiles take above inputs and output, each case in a fresh process."""

import json
import subprocess
import sys

import pytest

from engine.growth import fitted_exponent

pytestmark = pytest.mark.bench

PROBE = """
import resource, sys
import numpy as np
from engine import attend_tiled
heads, n = int(sys.argv[1]), int(sys.argv[2])
vectors = np.random.default_rng(0).standard_normal((3, heads, n, 64), dtype=np.float32)
attend_tiled(*vectors[:, :, :1024])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
output = attend_tiled(*vectors, causal=True)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(after - before - output.nbytes // 1024)
"""


def kibibytes_above(heads, n):
    command = [sys.executable, "-c", PROBE, str(heads), str(n)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_peak_memory_above_inputs_and_output():
    for heads, n in ((1, 16384), (1, 65536), (8, 16384)):
        print(json.dumps({"heads": heads, "n": n, "MiB": kibibytes_above(heads, n) / 1024}))


def test_what_is_held_grows_as_n():
    sizes = [8192, 16384, 32768]
    held = [4 * n * 64 * 4 + max(kibibytes_above(1, n), 0) * 1024 for n in sizes]
    print(f"\nmemory grows as n^{fitted_exponent(sizes, held):.2f}")
