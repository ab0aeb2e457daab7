import os

# No screen is needed; a test that wants a real window starts its own Xvfb.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
