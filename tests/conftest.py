import os

import pytest
from hypothesis import HealthCheck, settings

# No screen is needed; a test that wants a real window starts its own Xvfb.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# What a test renders it draws, and nobody's own cache is touched; tests of the cache make theirs.
os.environ["BYHAND_CACHE_LIMIT"] = "0"

# A slow machine is no fault of the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """A hard case that is skipped isn't held: that fails."""
    report = yield
    case = item.get_closest_marker("case")
    if case is not None and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"case {case.args[0]} must not be skipped"
    return report
