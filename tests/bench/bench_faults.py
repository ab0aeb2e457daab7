"""Bad luck, tried on purpose: what was tried, and what was lost. Nothing may be.

Run with -s to see the table. Scenes are the stubs of tests/export, so that a render takes seconds.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUBS = ROOT / "tests" / "export"

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, fork and tmpfs"),
]


def tell(tried, times, lost):
    print(f"{tried:<58} {times:>4} times   lost: {lost or 'nothing'}", flush=True)
    assert not lost


# Saving

SAVING = """
import os, random, signal, sys, time
from pathlib import Path
from engine.files import format_sentence, parse_sentence
from desktop import edits
from desktop.document import Document
from desktop.recovery import Recovery
from engine.presets import load_preset

folder, what, turns, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
moment = random.Random(seed)
versions = [
    edits.rename_word(load_preset(), 0, word).sentence for word in ("the", "x" * 60, "une")
]
whole = {format_sentence(one) for one in versions}
path = folder / "cat.byhand.json"

def save():
    document = Document(versions[0], path)
    for turn in range(10**9):
        document.edit(edits.rename_word(document.kept, 0, versions[turn % 3].words[0]))
        document.save(path)

def recover():
    recovery = Recovery(folder / "recovery")
    for turn in range(10**9):
        recovery.keep("one", versions[turn % 3], path)

def is_whole():
    if what == "save":
        return path.read_text(encoding="utf-8") in whole
    found, damaged = Recovery(folder / "recovery").left_behind()
    return not damaged and all(one.sentence in versions for one in found)

path.write_text(format_sentence(versions[0]), encoding="utf-8")
lost = 0
for turn in range(turns):
    child = os.fork()
    if not child:
        (save if what == "save" else recover)()
    time.sleep(moment.uniform(0.001, 0.03))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    lost += not is_whole()
print(lost)
"""


@pytest.mark.parametrize("what", ["save", "recovery"])
def test_killed_while_writing(tmp_path, what):
    turns = 200
    done = subprocess.run(
        [sys.executable, "-c", SAVING, tmp_path, what, str(turns), "7"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lost = int(done.stdout)
    tell(f"kill -9 while writing: {what}", turns, lost and f"{lost} documents")


# Rendering


def environment(folder):
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    return {
        **os.environ,
        "PYTHONPATH": f"{STUBS}:{ROOT}",
        "TMPDIR": str(temporary),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def command(output):
    scenes = ["slide", "lingering", "bar"]
    asked = ["--quality", "draft", "--fps", "10", "--jobs", "2", "--force", "-o", str(output)]
    return [sys.executable, STUBS / "stub_byhand.py", "render", *scenes, *asked]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def children_of(pid):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """What an undisturbed render makes, and how long it takes."""
    folder = tmp_path_factory.mktemp("clean")
    start = time.monotonic()
    subprocess.run(command(folder / "out"), env=environment(folder), check=True, cwd=folder)
    return contents(folder / "out"), time.monotonic() - start


@pytest.mark.parametrize("victim", ["worker", "parent", "group"])
def test_rendering_killed(clean, tmp_path, victim):
    files, seconds = clean
    moment, lost, turns = random.Random(victim), [], 17
    for turn in range(turns):
        folder = tmp_path / str(turn)
        folder.mkdir()
        process = subprocess.Popen(
            command(folder / "out"), env=environment(folder), cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        time.sleep(moment.uniform(0.1, seconds))
        workers = children_of(process.pid)
        if victim == "group":
            os.killpg(process.pid, signal.SIGKILL)
        elif victim == "parent":
            process.kill()
        elif workers:
            os.kill(workers[0], signal.SIGKILL)
        said = process.communicate(timeout=60)[1]
        time.sleep(0.5)
        if left := [pid for pid in workers if is_alive(pid)]:
            lost.append(f"{left} live on")
        if "Traceback" in said or (victim == "worker" and process.returncode not in (0, 1)):
            lost.append(said.strip().splitlines()[-1])
        if wrong := [n for n, made in contents(folder / "out").items() if made != files[n]]:
            lost.append(f"{wrong} isn't whole")
        if turn % 4 == 0:
            subprocess.run(command(folder / "out"), env=environment(folder), check=True, cwd=folder)
            if contents(folder / "out") != files:
                lost.append("another film the next time")
        shutil.rmtree(folder)
    tell(f"kill -9 while rendering: the {victim}", turns, "; ".join(lost))


# A full disk


FULL = {
    "clip": ([STUBS / "stub_byhand.py", "render", "slide", "--quality", "draft"], "temporary"),
    "join": ([STUBS / "stub_byhand.py", "render", "slide", "--quality", "draft"], "out"),
    "part": ([STUBS / "stub_byhand.py", "render", "slide", "bar", "--jobs", "1"], "both"),
    "figure": (["-m", "export.cli", "figure", "causal-pair", "weights"], "both"),
    "worksheet": (["-m", "export.cli", "worksheet", "--format", "html", "-o", "sheet.html"], "out"),
    "bundle": (["-m", "export.cli", "bundle", "out"], "both"),
    "new": (["-m", "export.cli", "new", "new.byhand.json", "--words", "a b"], "out"),
}
SCRIPT = """
mount -t tmpfs -o size="$1"k none "$2" && mkdir "$2/out" "$2/temporary"
[ "$3" = temporary ] || cd "$2/out"
[ "$3" = out ] || export TMPDIR="$2/temporary"
shift 3; "$@"; code=$?; cp -r . "$KEPT/out"; exit $code
"""


@pytest.mark.parametrize("what", list(FULL))
def test_a_full_disk(tmp_path, what):
    """On file systems of 8 to 512 kB: done, or refused in a line with nothing half there."""
    asked, where = FULL[what]
    lost, sizes = [], (8, 16, 32, 64, 128, 256, 512)
    for size in sizes:
        folder = tmp_path / str(size)
        disk = folder / "disk"
        disk.mkdir(parents=True)
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", SCRIPT,
             "sh", str(size), disk, where, sys.executable, *asked],
            env={**environment(folder), "KEPT": str(folder)}, cwd=folder / "disk",
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode not in (0, 1, 2) or "Traceback" in done.stderr:
            lost.append(f"{size} kB: {done.returncode} {done.stderr.strip()[-200:]}")
        if any(not line.startswith("byhand: ") for line in done.stderr.splitlines()):
            lost.append(f"{size} kB: {done.stderr!r}")
        if left := [p.name for p in (folder / "out").rglob("*") if p.name.endswith(".part")]:
            lost.append(f"{size} kB: {left} left")
        for path in (folder / "out").rglob("*.*"):
            if path.is_file() and not is_finished(path):
                lost.append(f"{size} kB: {path.name} is half")
    tell(f"a full disk: {what}", len(sizes), "; ".join(lost))


def is_finished(path):
    """Whether a file ends as one of its kind does."""
    made = path.read_bytes()
    ends = {".svg": rb"</svg>\s*$", ".html": rb"</html>\s*$", ".json": rb"\}\s*$", ".png": rb"IEND"}
    if path.suffix == ".mp4":
        return b"moov" in made
    pattern = ends.get(path.suffix)
    return bool(made) and (pattern is None or re.search(pattern, made[-200:]) is not None)


# The ground moves


def test_the_folder_is_removed_while_rendering(clean, tmp_path):
    files, seconds = clean
    moment, lost, turns = random.Random(3), [], 10
    for turn in range(turns):
        folder = tmp_path / str(turn)
        folder.mkdir()
        process = subprocess.Popen(
            command(folder / "out"), env=environment(folder), cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(moment.uniform(0.3, seconds))
        shutil.rmtree(folder / "out", ignore_errors=True)
        said = process.communicate(timeout=60)[1]
        if "Traceback" in said or process.returncode not in (0, 1, 2) or said.count("\n") > 3:
            lost.append(f"{process.returncode} {said.strip()[-200:]}")
        if wrong := [n for n, made in contents(folder / "out").items() if made != files[n]]:
            lost.append(f"{wrong} isn't whole")
    tell("the folder removed while rendering", turns, "; ".join(lost))


CLOCK = """
import sys, time
from pathlib import Path
from desktop import edits
from desktop.document import Document
from desktop.recovery import Recovery
from engine.files import read_sentence
from engine.presets import load_preset

now = [2e9]
time.time = lambda: now[0]
folder = Path(sys.argv[1])
path, post = folder / "cat.byhand.json", load_preset()
document, lost = Document(post, path), 0
for turn in range(50):
    now[0] -= 86400
    document.edit(edits.rename_word(document.kept, 0, f"word {turn}"))
    recovery = Recovery(folder / "recovery")
    recovery.keep("one", document.kept, path)
    recovery.close()
    found, damaged = Recovery(folder / "recovery").left_behind()
    lost += damaged + (document.kept not in [one.sentence for one in found])
    document.save(path)
    lost += read_sentence(path) != document.kept
print(lost)
"""


def test_the_clock_is_set_back(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", CLOCK, tmp_path],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lost = int(done.stdout)
    tell("the clock set back a day", 50, lost and f"{lost} documents")
