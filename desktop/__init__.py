"""The desktop app and the `byhand` entry point.

What may enter: Qt, the window, its views and commands. What may not: arithmetic (`engine`) and the
making of files (`export`). Importing this package imports no Qt, so that the command line starts
at once.
"""
