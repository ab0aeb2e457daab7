import os

from hypothesis import HealthCheck, settings

# No screen is needed; a test that wants a real window starts its own Xvfb.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A slow machine is no fault of the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
