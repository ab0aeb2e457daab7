"""A folder of documents as one job: each has its films in a folder of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from export.options import RenderOptions, ending_of
from export.orders import Order
from export.placing import quoted, shown
from export.sentence_options import BadRequest, CommonOptions

__all__ = ["ENDING", "Course", "documents_in", "read_course"]

ENDING = ".byhand.json"


@dataclass(frozen=True)
class Course:
    """What is to be rendered of each document, and in a line each what is wrong with the others."""

    orders: tuple[Order, ...]
    complaints: tuple[str, ...]


def read_course(
    folder: str, common: CommonOptions, options_of: Callable[[CommonOptions], RenderOptions]
) -> Course:
    """An order a document in a folder, called after its file, in a folder of that name where -o is.

    options_of makes a document's options from `common` with its --sentence and -o; what it refuses
    is a complaint, and stops no other. Raises ValueError where there is no document at all, or
    where -o is a file.
    """
    output = common.output
    if output is not None and ending_of(output):
        raise ValueError(
            f"{quoted(output)} is one file, and --sentences are many: give -o a folder"
        )
    orders, complaints = [], []
    for file in documents_in(folder):
        name = file.name.removesuffix(ENDING)
        try:
            # The separator says that it is a folder, whatever it is called.
            place = os.path.join(output or "", name, "")
            own = replace(common, sentence=str(file), output=place)
            orders.append(Order(options_of(own), name))
        except (BadRequest, ValueError) as error:
            said = error.message if isinstance(error, BadRequest) else str(error)
            is_named = said.startswith(shown(file))
            complaints.append(said if is_named else f"{shown(file)}: {said}")
    return Course(tuple(orders), tuple(complaints))


def documents_in(folder: str) -> list[Path]:
    """The documents in a folder, in alphabetical order; ValueError where there are none.

    Hidden files are none, so no name is that of another folder.
    """
    try:
        files = sorted(Path(folder).iterdir())
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ValueError(
            f"--sentences {quoted(folder)} can't be read ({reason}): try a folder of *{ENDING}"
        ) from error
    found = [f for f in files if f.name.endswith(ENDING) and not f.name.startswith(".")]
    if not found:
        raise ValueError(f"{shown(Path(folder))} has no document: try a folder of *{ENDING}")
    return found
