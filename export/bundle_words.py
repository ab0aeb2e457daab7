"""What stands beside a bundle's figures and clips: captions, alt text, and both as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.sentence import Sentence
from export.prose import named_in_prose
from scenes.direction import isolated

if TYPE_CHECKING:
    from export.bundle_clips import MadeClip
    from export.bundle_markup import ShownFigure

__all__ = ["alt_texts", "clip_alt", "clip_caption", "clip_name", "figure_caption", "markdown_text"]

_CAPTIONS = {
    "query-plane": "What {word} asks, and what the others offer: its query among all keys.",
    "value-plane": "What {word} collects: the values, and the mixture of them that is its output.",
    "weights": "Who listens to whom: the share of attention that each word gives to each.",
    "causal-pair": "The same words without and with the causal mask: nobody hears a later word.",
    "scaling": "Softmax of the scores of {word}, without and with the division by √d_k.",
    "score-gap": "The wider the gap between two scores, the harder the choice, and the smaller the "
    "gradient that could change it.",
    "contributions": "Weights aren't yet contributions: what each word weighs for {word}, and what "
    "it gives.",
    "winning-word": "Which word wins where: the one that a query would listen to most.",
    "growth": "Twice the words are four times the cells: what the grid of weights costs.",
    "heads": "Every head asks a question of its own: the weights of all heads side by side.",
    "tiles": "The same output without the whole grid: {word} meets the keys tile by tile.",
}


def figure_caption(sentence: Sentence, figure: str) -> str:
    """The line under a figure, which is called by its name with hyphens; KeyError for another."""
    if figure == "heads" and len(sentence.heads) == 1:
        return "The weights of the only head: every further one would ask a question of its own."
    return _CAPTIONS[figure].format(word=named_in_prose(sentence.words)[sentence.focus])


def clip_name(clip: MadeClip) -> str:
    """What a player of the clip is called."""
    return f"{clip.title}: a clip of {_seconds(clip)} without sound"


def clip_caption(clip: MadeClip, sentence: Sentence) -> str:
    """The line under a clip."""
    return f"{clip.title}, told with “{spoken_words(sentence)}”."


def clip_alt(clip: MadeClip, sentence: Sentence) -> str:
    """A clip in one paragraph of words: whose numbers, then what it says from beat to beat."""
    said = " ".join(beat.caption for beat in clip.beats if beat.caption)
    return f"{clip_name(clip)}, told with the sentence {spoken_words(sentence)}. {said}".strip()


def spoken_words(sentence: Sentence) -> str:
    """The sentence as one line."""
    return " ".join(map(isolated, sentence.words))


def _seconds(clip: MadeClip) -> str:
    whole = max(1, round(clip.seconds))
    return f"{whole} second{'s' * (whole > 1)}"


def markdown_text(text: str) -> str:
    """A text in which Markdown finds nothing of its own: no markup, no link and no mention."""
    held = re.sub(r"([\\`*_{}\[\]<>#|~&@$!^])", r"\\\1", text)
    return re.sub(r"(?<=[A-Za-z])(:)(?=//)|(?<=\bwww)(\.)", r"\\\g<0>", held)


def alt_texts(sentence: Sentence, figures: Sequence[ShownFigure], clips: Sequence[MadeClip]) -> str:
    """What every figure and clip shows and what stands under it, as plain text."""
    told = [
        *((f"figures/{one.name}", one.alt, one.caption) for one in figures),
        *(
            (f"clips/{one.name}", clip_alt(one, sentence), clip_caption(one, sentence))
            for one in clips
        ),
    ]
    return (
        "\n\n".join(f"{name}\nAlt text: {alt}\nCaption: {caption}" for name, alt, caption in told)
        + "\n"
    )
