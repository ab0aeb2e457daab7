"""The gallery is what is drawn today: a new picture may not differ, by as much as a digit."""

import runpy
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from engine.presets import load_preset
from export.pool import render_clip
from scenes import CATALOG, find_scene

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "gallery.py"))
BLOCK = 16
MOST_ON_AVERAGE, MOST_IN_A_BLOCK = 1, 12
"""Levels, of 255, by which pixels of the whole picture and of a block may differ."""


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), dtype=float)


def is_alike(one, other):
    apart = np.abs(one - other).mean(axis=-1)
    apart = np.pad(apart, [(0, -length % BLOCK) for length in apart.shape])
    blocks = apart.reshape(len(apart) // BLOCK, BLOCK, -1, BLOCK).mean(axis=(1, 3))
    return apart.mean() < MOST_ON_AVERAGE and blocks.max() <= MOST_IN_A_BLOCK


def drawn(entry, sentence, folder):
    job = msgspec.structs.replace(SCRIPT["picture_of"](entry, sentence), workspace=str(folder))
    return pixels(render_clip(job).path)


def kept(entry):
    return pixels(SCRIPT["FOLDER"] / f"{entry.name}.png")


@pytest.mark.slow
@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)
def test_every_scene_looks_as_in_the_gallery(entry, tmp_path):
    assert is_alike(drawn(entry, load_preset(), tmp_path), kept(entry))


@pytest.mark.slow
def test_a_changed_last_digit_is_noticed(tmp_path):
    """With cat's key 2.001 long e to its score is 16.94, not 16.92, and no other number changes."""
    post = load_preset()
    head = post.heads[0]
    key = (head.key[0], (2.001, 0.0), *head.key[2:])
    changed = msgspec.structs.replace(post, heads=(msgspec.structs.replace(head, key=key),))
    entry = find_scene("softmax")
    assert not is_alike(drawn(entry, changed, tmp_path), kept(entry))


def test_the_gallery_has_every_scene_and_the_readme_shows_it():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    names = {entry.name for entry in CATALOG}
    assert {path.stem for path in SCRIPT["FOLDER"].glob("*.png")} == names
    assert all(f"docs/gallery/{name}.png)" in readme for name in names)
