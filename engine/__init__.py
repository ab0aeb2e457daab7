"""The arithmetic of attention, and the document that everything is drawn from.

What may enter: NumPy, msgspec, threadpoolctl; functions on arrays and frozen data. What may not:
anything that draws, opens a window or knows about a screen.

    >>> from engine import attend
    >>> attend([[2.0, 0.0]], [[0, 1], [2, 0]], [[1, 0], [4, 0]]).weights.round(2).tolist()
    [[0.06, 0.94]]
"""

from engine.attention import Attention, attend
from engine.files import SentenceError, read_sentence, write_sentence
from engine.geometry import convex_hull, in_their_plane, project, winning_word
from engine.growth import Growth, Measurement, growth, measure_growth
from engine.heads import HeadWeights, MultiHeadAttention, attend_heads, join_heads, split_heads
from engine.influence import contributions, leave_one_out, sensitivity
from engine.masks import causal_mask, padding_mask, window_mask
from engine.positions import sinusoidal_positions
from engine.sentence import Head, Sentence, attention_of
from engine.softmax import log_sum_exp, softmax, softmax_jacobian
from engine.tiled import TileStep, attend_tiled, walk_tiles
from engine.working import Line, Step, Term, work_through

__all__ = [
    "Attention",
    "Growth",
    "Head",
    "HeadWeights",
    "Line",
    "Measurement",
    "MultiHeadAttention",
    "Sentence",
    "SentenceError",
    "Step",
    "Term",
    "TileStep",
    "attend",
    "attend_heads",
    "attend_tiled",
    "attention_of",
    "causal_mask",
    "contributions",
    "convex_hull",
    "growth",
    "in_their_plane",
    "join_heads",
    "leave_one_out",
    "log_sum_exp",
    "measure_growth",
    "padding_mask",
    "project",
    "read_sentence",
    "sensitivity",
    "sinusoidal_positions",
    "softmax",
    "softmax_jacobian",
    "split_heads",
    "walk_tiles",
    "window_mask",
    "winning_word",
    "work_through",
    "write_sentence",
]
