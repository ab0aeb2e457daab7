"""What scenes are made of: numbers, words, vectors, grids, bars, formulas, captions.

A part draws what it is given and knows where its pieces are; it computes no attention.
"""
