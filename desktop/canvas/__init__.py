"""The two planes and what lies in them: arrows, feet, hull; where the pointer is and what it does.

What may not enter: numbers in cells or lines (those are `views`) and arithmetic.
"""
