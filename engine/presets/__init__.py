"""Ready sentences, in the form `byhand new --preset` writes; the post's own first.

What may enter: documents in canonical form, and these two functions.
"""

from importlib.resources import files
from typing import Final

from engine.files import parse_sentence
from engine.sentence import Sentence

_NAMES: Final = (
    "the-cat-sat-down",
    "two-heads",
    "seven-words",
    "a-hard-pick",
    "an-even-spread",
    "a-tie",
    "a-huge-value",
)


def preset_names() -> tuple[str, ...]:
    """The names of the ready sentences, the post's first."""
    return _NAMES


def load_preset(name: str = _NAMES[0]) -> Sentence:
    """A ready sentence; the post's unless named. Raises ValueError that lists the names."""
    if name not in _NAMES:
        raise ValueError(f"no preset is {name!r}: give one of {', '.join(_NAMES)}")
    file = f"{name}.byhand.json"
    return parse_sentence(files(__name__).joinpath(file).read_bytes(), file)
