"""What the scene of the three roles says, worded from its sentence. No Manim here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Sentence
from scenes.beats import quoted, shorten

__all__ = ["ROLE_NAMES", "ThreeRolesWords"]

ROLE_NAMES = ("query", "key", "value")
TELLS = ("asks", "shows", "gives")


@dataclass(frozen=True)
class ThreeRolesWords:
    """The captions, each true of any sentence.

    head: whose vectors; heard: the word that the focus word listens to most, None where it may look
    at nothing. Hidden words are those not drawn.
    """

    sentence: Sentence
    head: int
    heard: int | None

    @property
    def name(self) -> str:
        """The word it is all about, in quotes."""
        return quoted(shorten(self.sentence.words[self.sentence.focus], 10))

    @property
    def has_matrices(self) -> bool:
        """Whether the head says how its vectors are made from x."""
        return self.sentence.heads[self.head].w_query is not None

    def story(self, role: str) -> str:
        """What the document tells of the focus word in a role; "" for nothing."""
        texts: Sequence[str] | None = getattr(self.sentence, TELLS[ROLE_NAMES.index(role)])
        return " ".join(texts[self.sentence.focus].split()) if texts else ""

    def same_vector(self) -> str:
        """What a word is by itself."""
        early = ", before positions are added" if self.sentence.positions != "none" else ""
        return f"Whatever stands around {self.name}, it comes with the same vector x{early}."

    def needs_others(self) -> str:
        """Why that isn't enough."""
        if len(self.sentence.words) == 1:
            return "What it means in a sentence, only other words can tell. Here there are none."
        return "What it means in this sentence, only the other words can tell."

    def role(self, role: str) -> str:
        """What a role is for; whose story the text is."""
        told = bool(self.story(role))
        if role == "query":
            says = f"What {self.name} asks is its query."
            ours = "The question is our story, not the model's."
            return f"{says} {ours}" if told else f"{says} A model has only the numbers."
        if role == "key":
            return "What it shows others is its key: a label that queries can match."
        return "What it hands over, where somebody listens, is its value."

    def where_from(self) -> str:
        """How the three are made."""
        if self.has_matrices:
            position = " with its position" if self.sentence.positions != "none" else ""
            return f"All three are x{position} times a matrix that was learned."
        return "In a model all three are x times a learned matrix. Here we chose them outright."

    def at_work(self) -> str:
        """What they do, all together."""
        says = "A query asks, keys answer, a value travels"
        if self.heard is None:
            return f"{says}. {self.name} may look at nothing, so none comes."
        if self.heard == self.sentence.focus:
            return f"{says}: above all its own."
        heard = quoted(shorten(self.sentence.words[self.heard], 10))
        return f"{says}: above all that of {heard}."
