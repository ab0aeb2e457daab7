"""Where a stranger's document reaches: no file but its own, no host, no program."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from engine.files import SentenceError, format_sentence, parse_sentence, write_sentence
from engine.presets import load_preset
from engine.sentence import new_sentence
from export.bundle_options import BundleOptions
from export.figure_options import FigureOptions, choose_figures
from export.hard_sentences import STRANGERS_WORDS
from export.kept_clips import asked_digest
from export.options import RenderOptions, choose_films
from export.orders import jobs_of
from export.worksheet_options import WorksheetOptions

TITLES = [*STRANGERS_WORDS, "..", "/", "\\\\host\\share\\x", "nul", "-o", "x" * 200]

CONTROLS = ["\0", "\a", "\b", "\t", "\n", "\r", "\x1b[31m", "\x7f", "\x9b31m", "\u2028", "\ufffe"]


def titled(title):
    return msgspec.structs.replace(load_preset(), title=title)


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("place", ["title", "words", "asks", "shows", "gives", "name"])
def test_no_text_of_a_document_holds_a_control_character(place, control):
    tree = json.loads(format_sentence(load_preset()))
    text = f"a{control}b"
    if place == "title":
        tree["title"] = text
    elif place == "name":
        tree["heads"][0]["name"] = text
    else:
        tree[place] = [text, *tree["words"][1:]]
    with pytest.raises(SentenceError, match="without control characters or line breaks"):
        parse_sentence(json.dumps(tree).encode(), "a.byhand.json")


def files_of(sentence, folder):
    films = choose_films(["softmax", "lecture"])
    options = RenderOptions(sentence=sentence, films=films, output=str(folder))
    yield from (file for film in options.films for file in options.files_of(film))
    figures = FigureOptions(
        sentence=sentence, figures=choose_figures(["weights", "scaling"]), output=str(folder)
    )
    yield from (file.path for file in figures.files)
    bundle = BundleOptions(sentence=sentence, folder=folder)
    yield from (folder / name for name in bundle.files())
    yield from WorksheetOptions(sentence=sentence, style=None, variants=3).names(folder)


def test_what_files_are_called_has_nothing_to_do_with_a_strangers_words(tmp_path):
    usual = list(files_of(load_preset(), tmp_path))
    assert len(usual) > 20
    hostile = new_sentence(STRANGERS_WORDS, title="../../x")
    assert list(files_of(hostile, tmp_path)) == usual


@pytest.mark.parametrize("title", TITLES)
def test_what_is_kept_of_a_film_is_called_by_digits_alone(title):
    options = RenderOptions(sentence=titled(title), films=choose_films(["softmax"]))
    assert re.fullmatch(r"[0-9a-f]{16,}", asked_digest(*jobs_of(options)))


# At work

HOOK = """
import os, sys

log = os.open(os.environ["AUDITED"], os.O_CREAT | os.O_APPEND | os.O_WRONLY)

def heard(event, arguments):
    if event == "open" or event.partition(".")[0] in ("socket", "urllib", "subprocess", "os"):
        os.write(log, f"{event} {arguments!r:.3000}\\n".encode("utf-8", "backslashreplace"))

sys.addaudithook(heard)
"""

CONNECTS = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.send", "urllib.")
RUNS = ("subprocess.Popen", "os.system", "os.exec", "os.spawn", "os.posix_spawn")

WORK = {
    "worksheet": ["worksheet", "--format", "html", "-o", "out.html"],
    "check": ["check"],
    "figure": ["figure", "weights", "-o", "out"],
    "still": ["render", "softmax", "--quality", "draft", "--still", "3", "-o", "out.png"],
}


@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_a_strangers_document_reads_runs_and_asks_for_nothing(tmp_path, work):
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK)
    document = tmp_path / "stranger.byhand.json"
    write_sentence(new_sentence(STRANGERS_WORDS[:12], title=STRANGERS_WORDS[0]), document)
    given = [str(document)] if work == "check" else ["--sentence", str(document)]
    paths = [str(tmp_path / "hook"), os.environ["PYTHONPATH"]]
    done = subprocess.run(
        [sys.executable, "-m", "export.cli", *WORK[work], *given],
        cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "AUDITED": str(tmp_path / "log"), "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    events = (tmp_path / "log").read_text("utf-8").splitlines()
    assert sum(event.startswith("open ") for event in events) > 20
    assert [event for event in events if event.startswith(CONNECTS)] == []
    started = [event for event in events if event.startswith(RUNS)]
    assert [event for event in started if "x.invalid" in event or "passwd" in event] == []
    opened = [event for event in events if event.startswith("open ")]
    assert [event for event in opened if "passwd" in event or ".invalid" in event] == []
    if work == "still":
        assert sum(sys.executable in event for event in started) >= 1, "nobody has drawn"


@pytest.mark.skipif(sys.platform != "linux", reason="unshare is Linux's")
@pytest.mark.case(35)
@pytest.mark.parametrize(
    "command",
    [
        ["render", "spoken", "--quality", "draft"],
        ["figure", "weights", "-o", "weights.svg"],
        ["worksheet", "--format", "html", "-o", "sheet.html"],
    ],
    ids=["render", "figure", "worksheet"],
)
def test_with_the_network_cut_everything_works(tmp_path, command):
    """Case 35, its other half: network cut: everything works."""
    cut = ["unshare", "--user", "--map-root-user", "--net"]
    byhand = [sys.executable, str(Path(__file__).with_name("stub_byhand.py"))]
    done = subprocess.run([*cut, *byhand, *command], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(tmp_path)
