"""`byhand cache`: what is kept of earlier renders, how much that is, and how to be rid of it."""

from __future__ import annotations

from datetime import datetime

import click

from export.placing import shown
from export.sentence_options import BadRequest
from export.speech import say_json
from export.store import FOLDER, LIMIT, Store, in_words, limit, store_folder

__all__ = ["cache"]


@click.command(
    epilog=f"{FOLDER} is another folder for it, {LIMIT} another limit: 50GB, 500MB, or 0 to keep "
    "nothing. What was of no use for longest goes first."
)
@click.option("--clear", is_flag=True, help="Let go of all of it.")
@click.option("--json", "as_json", is_flag=True, help="Speak JSON.")
def cache(clear: bool, as_json: bool) -> None:
    """Say what is kept of earlier renders, so that only what changed is drawn again."""
    try:
        store = Store(store_folder(), limit())
    except ValueError as error:
        raise BadRequest(str(error)) from error
    if clear:
        files, size = store.clear()
        if as_json:
            say_json({"event": "cleared", "files": files, "bytes": size})
        else:
            print(f"{shown(store.folder)}: {_count(files)} removed, {in_words(size)}")
        return
    items = store.items()
    size = sum(item.size for item in items)
    oldest = datetime.fromtimestamp(items[0].used).astimezone() if items else None
    if as_json:
        say_json(
            {
                "folder": str(store.folder),
                "files": len(items),
                "bytes": size,
                "limit": store.limit,
                "oldest": oldest and oldest.isoformat(timespec="seconds"),
            }
        )
        return
    said = f"{shown(store.folder)}: {_count(len(items))}, {in_words(size)}"
    said += f" of at most {in_words(store.limit)}"
    print(said + (f", the oldest last of use on {oldest:%Y-%m-%d %H:%M}" if oldest else ""))


def _count(files: int) -> str:
    return f"{files} file{'' if files == 1 else 's'}"
