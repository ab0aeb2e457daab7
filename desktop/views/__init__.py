"""Panels that show numbers and take them: grids, bars, the working, tables, plots.

A view holds no truth: it draws the Document's calculation and sends it edits. What may not enter:
arithmetic, files, and vectors in a plane (those are `canvas`).
"""
