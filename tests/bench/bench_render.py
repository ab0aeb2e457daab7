"""Rendering: byhand beside `manim render` one scene after another, in turn, the same pictures.

`make bench` renders the whole lecture, which takes hours. Less of it: name scenes and qualities in
the environment, as in `BENCH_SCENES=softmax,tiles BENCH_QUALITIES=draft,1080p30`.
Wall times want an idle machine; processor time, children included, bears a busy one.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import av
import msgspec
import pytest

from engine.files import format_sentence
from engine.presets import load_preset
from export.jobs import Job
from scenes import CATALOG

pytestmark = pytest.mark.bench

QUALITIES = {
    "draft": (854, 480, 15),
    "1080p30": (1920, 1080, 30),
    "1080p60": (1920, 1080, 60),
    "4k": (3840, 2160, 30),
}
SCENES = os.environ.get("BENCH_SCENES", "").split(",")
SCENES = [entry for entry in CATALOG if entry.name in SCENES] or list(CATALOG)
MEASURED = os.environ.get("BENCH_QUALITIES", "draft,1080p30,1080p60").split(",")
ROOT = Path(__file__).parents[2]

BYHAND = {
    "start-up": ("importing",),
    "drawing": ("paint", "_looking_at"),
    "converting": ("_next_frame",),
    "encoding": ("_encode", "_show_again", "close"),
    "moving": ("update_to_time", "begin_animations"),
    "hashing": ("get_hash_from_play_call",),
}
"""Functions of which none calls another: what a worker's time goes to; the rest tells the scene."""

PROBE = """
import cProfile, json, pstats, sys, time
import msgspec
from export.jobs import Job
job, parts = msgspec.json.decode(sys.argv[1], type=Job), json.loads(sys.argv[2])

def importing():
    import manim

def all_of_it():
    importing()
    from export.worker import _render
    _render(job, lambda message: None)

# Other threads encode nothing: x264 is given one.
profile = cProfile.Profile(time.thread_time)
profile.runcall(all_of_it)
stats = pstats.Stats(profile)
taken = {name: 0.0 for name in parts}
for (file, _, function), (_, _, _, cumulative, _) in stats.stats.items():
    for name, functions in parts.items():
        if function in functions and ("byhand" in file or "/export/" in file or "/scenes/" in file
                or file == "<string>" or "manim/scene/" in file or "hashing" in file):
            taken[name] += cumulative
taken["telling"] = stats.total_tt - sum(taken.values())
print(json.dumps(taken))
"""


def run(command, folder):
    """Wall and processor seconds of a command and its children, and the largest one's MiB."""
    start = time.monotonic()
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (folder / "said").read_text()
    wall = time.monotonic() - start
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def with_byhand(quality, folder):
    """All scenes with one command."""
    named, rate = quality.removesuffix("30").removesuffix("60"), QUALITIES[quality][2]
    options = ["--quality", named, "--fps", str(rate), "-o", str(folder), "--captions", "burn"]
    names = [entry.name for entry in SCENES]
    command = [sys.executable, "-m", "desktop", "render", *names, *options, "--quiet"]
    return run(command, folder)


def with_manim(quality, folder):
    """A command a scene, one after another."""
    width, height, rate = QUALITIES[quality]
    runs = []
    for entry in SCENES:
        module, _, name = entry.target.partition(":")
        file = ROOT / f"{module.replace('.', '/')}.py"
        options = ["-r", f"{width},{height}", "--fps", str(rate), "--media_dir", str(folder)]
        quiet = ["--progress_bar", "none", "-v", "ERROR"]
        manim = [sys.executable, "-m", "manim", "render", *options, *quiet, str(file), name]
        runs.append(run(manim, folder))
    return sum(r[0] for r in runs), sum(r[1] for r in runs), max(r[2] for r in runs)


def filmed(folder):
    """Frames and bytes of the films in a folder, not of pieces that were joined."""
    files = [f for f in folder.rglob("*.mp4") if "partial_movie_files" not in f.parts]
    frames = 0
    for file in files:
        with av.open(str(file)) as film:
            frames += sum(packet.size > 0 for packet in film.demux(video=0))
    return frames, sum(file.stat().st_size for file in files)


def parts_of_the_time(quality):
    """Where a worker's processor time goes, all scenes together, in shares."""
    width, height, rate = QUALITIES[quality]
    totals = {}
    for entry in SCENES:
        document = format_sentence(load_preset())
        size = {"width": width, "height": height, "frame_rate": rate}
        job = Job(scene=entry.name, target=entry.target, document=document, **size)
        said = subprocess.run(
            [sys.executable, "-c", PROBE, msgspec.json.encode(job).decode(), json.dumps(BYHAND)],
            capture_output=True,
            text=True,
            check=True,
            cwd=os.environ["TMPDIR"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        ).stdout
        for name, seconds in json.loads(said.splitlines()[-1]).items():
            totals[name] = totals.get(name, 0.0) + seconds
    whole = sum(totals.values())
    return {name: round(seconds / whole, 3) for name, seconds in totals.items()}


@pytest.mark.parametrize("quality", MEASURED)
def test_byhand_beside_manim(quality, tmp_path, monkeypatch):
    """Prints and keeps the figures; asks only that byhand is the quicker."""
    # Clips kept from before would be no render.
    for name in ("TMPDIR", "XDG_CACHE_HOME", "PYTHONPATH"):
        monkeypatch.setenv(name, str(ROOT if name == "PYTHONPATH" else tmp_path))
    row = {"quality": quality, "scenes": [entry.name for entry in SCENES]}
    for maker, render in (("byhand", with_byhand), ("manim", with_manim)):
        folder = tmp_path / maker
        folder.mkdir()
        wall, processor, mebibytes = render(quality, folder)
        frames, size = filmed(folder)
        row[maker] = {
            "wall": round(wall, 1),
            "processor": round(processor, 1),
            "frames a second": round(frames / wall, 1),
            "ms a frame": round(processor / frames * 1000, 2),
            "frames": frames,
            "bytes": size,
            "peak MiB": round(mebibytes),
        }
    for figure in ("wall", "processor", "bytes"):
        row[f"{figure} ratio"] = round(row["byhand"][figure] / row["manim"][figure], 3)
    row["where the time goes"] = parts_of_the_time(quality)
    file = Path("bench_render.json")
    rows = json.loads(file.read_text()) if file.exists() else []
    rows = [
        other for other in rows if (other["quality"], other["scenes"]) != (quality, row["scenes"])
    ]
    file.write_text(json.dumps([*rows, row], indent=1))
    print("\n" + json.dumps(row, indent=1), flush=True)
    assert row["processor ratio"] < 1
