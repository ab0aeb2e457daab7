"""Times of both paths as they were measured once, for the growth scene: a video can't wait.

Made with `byhand growth --up-to 8192 --json` on 2026-11-29, medians of three; seconds. `byhand
growth` measures the machine at hand.
"""

from __future__ import annotations

from engine.growth import Measurement

__all__ = ["MACHINE", "MEASURED"]

MACHINE = "AMD EPYC, two cores"

MEASURED = (
    Measurement(1024, 0.0180, 0.0163),
    Measurement(2048, 0.0770, 0.0496),
    Measurement(4096, 0.2465, 0.1187),
    Measurement(8192, 0.9512, 0.4321),
)
