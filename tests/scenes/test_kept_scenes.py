"""The rule by which a kept clip is taken, held against what is really drawn.

Where a scene, by what it has read of a document, is said to look the same for another one, it is
drawn for both and every frame compared.
"""

from __future__ import annotations

import tempfile

import av
import msgspec
import numpy as np
import pytest

from engine.presets import load_preset
from export.jobs import Plan
from export.options import RenderOptions, choose_films
from export.pool import plan_clips, render_clip
from export.readings import read_at
from export.rendering import jobs_of

pytestmark = pytest.mark.slow

POST = load_preset()
TWO = load_preset("two-heads")
LATER = msgspec.structs.replace(TWO.heads[1], name="another", w_value=((5.0, 1.0), (1.0, 2.0)))
LONGER = ("a", "hippopotamus", "stood", "up")

CHANGES = {
    "every word": (POST, msgspec.structs.replace(POST, words=LONGER, title="Another")),
    "a later head": (TWO, msgspec.structs.replace(TWO, heads=(TWO.heads[0], LATER))),
}
SAME = {"every word": {"many-heads", "card-part1-scaling"}, "a later head": {"scaling", "opening"}}
"""Some scenes that are known to show nothing of the change: the rule is of use."""

SHOWN = {"every word": {"opening", "softmax", "tiles"}, "a later head": {"many-heads"}}
"""And some that do show it."""


def jobs_for(sentence, *names):
    """Jobs of these films' clips, as small and as few frames as can be."""
    options = RenderOptions(sentence=sentence, films=choose_films(names), frame_rate=2)
    jobs = (msgspec.structs.replace(job, width=64, height=36) for job in jobs_of(options))
    return {job.scene: job for job in jobs}


def frames_of(job, workspace):
    clip = render_clip(msgspec.structs.replace(job, workspace=workspace))
    with av.open(str(clip.path)) as film:
        return clip.beats, np.stack([f.to_ndarray(format="rgb24") for f in film.decode(video=0)])


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_said_to_look_the_same_looks_the_same(change):
    before, after = CHANGES[change]
    names = ("opening", *SAME[change], *SHOWN[change])
    scenes = [name for name in names if not name.startswith(("card-", "opening"))]
    # part1 for its opening and its cards; of its scenes only those that are asked for.
    old, new = (jobs_for(one, "part1", *scenes) for one in (before, after))
    wanted = {*scenes, *SAME[change], *SHOWN[change]}
    plans = list(plan_clips([old[name] for name in sorted(wanted)]))
    assert all(isinstance(plan, Plan) for plan in plans)
    same = {
        plan.scene
        for plan in plans
        if all(read_at(before, place) == read_at(after, place) for place in plan.read)
    }
    assert same >= SAME[change]
    assert not same & SHOWN[change]
    for name in sorted(same):
        with tempfile.TemporaryDirectory() as workspace:
            (beats, frames), (others, drawn) = (
                frames_of(jobs[name], workspace) for jobs in (old, new)
            )
        assert beats == others, name
        assert np.array_equal(frames, drawn), name
