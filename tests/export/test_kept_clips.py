"""What a kept clip depends on: each thing in turn is changed, and another clip is looked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import types
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import av
import msgspec
import pytest

from engine.files import format_sentence
from engine.presets import load_preset
from export import dependencies
from export.jobs import Clip, Job, Plan
from export.kept_clips import KeptClips, asked_digest, film_name
from export.options import RenderOptions, choose_films
from export.store import FOLDER, LIMIT, Store
from scenes.settings import Card, Line

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _looked_up_anew(monkeypatch):
    # Where a worker looks, too: not in the first place, which is the current folder's.
    monkeypatch.setattr(sys, "path", [sys.path[0], str(Path(__file__).parent), *sys.path[1:]])
    dependencies.here.cache_clear()
    dependencies.beside_films.cache_clear()
    yield
    dependencies.here.cache_clear()
    dependencies.beside_films.cache_clear()


@pytest.fixture
def kept(tmp_path):
    return KeptClips(Store(tmp_path / "store", 10**9))


@pytest.fixture
def rendered(stub_job, tmp_path):
    """A job for the bar, and a clip of it whose scene has read the first word and head."""
    file = tmp_path / "bar.mp4"
    file.write_bytes(b"a film of a bar")
    read = ("heads", "heads[0]", "words", "words[0]")
    return stub_job("Bar"), Clip("bar", 10, 10, (), file, read=read)


# What was asked for

OTHERS = {
    "output": "still",
    "target": "stub_scenes:Slide",
    "first": 7,
    "last": 7,
    "card": Card(1, 2, "Bar", "stub_scenes:Bar"),
    "script": (Line("Bar", caption="Another"),),
}
"""Another value of fields that don't say by their value what another would be."""

FIELDS = [field.name for field in msgspec.structs.fields(Job)]


def changed(job, name):
    value = getattr(job, name)
    match value:
        case _ if name in OTHERS:
            other = OTHERS[name]
        case bool():
            other = not value
        case int() | float():
            other = value + 1
        case str():
            other = value + "x"
        case _:
            raise AssertionError(f"say in OTHERS what another {name} would be")
    assert other != value
    return msgspec.structs.replace(job, **{name: other})


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in ("workspace", "document")])
def test_every_field_of_a_job_makes_another_clip(stub_job, name):
    job = stub_job("Bar")
    assert asked_digest(changed(job, name)) not in (None, asked_digest(job))


def test_where_it_is_drawn_makes_no_other_clip(stub_job):
    job = stub_job("Bar")
    assert asked_digest(changed(job, "workspace")) == asked_digest(job)


def test_a_scene_whose_code_is_not_to_be_found_is_never_kept(stub_job):
    assert asked_digest(stub_job("Bar", target="nowhere_scenes:Bar")) is None


# The document


def with_document(job, sentence):
    return msgspec.structs.replace(job, document=format_sentence(sentence))


def told(**changes):
    return msgspec.structs.replace(load_preset("two-heads"), **changes)


WHOLE = told()
OTHER_HEAD = msgspec.structs.replace(WHOLE.heads[0], w_query=((9.0, 9.0), (9.0, 9.0)))
UNREAD = {
    "a word that wasn't shown": {"words": ("the", "dog", "sat", "down")},
    "the other head": {
        "heads": (WHOLE.heads[0], msgspec.structs.replace(OTHER_HEAD, name=WHOLE.heads[1].name))
    },
    "the title": {"title": "Another"},
}
READ = {
    "the word": {"words": ("a", "cat", "sat", "down")},
    "the head": {"heads": (OTHER_HEAD, WHOLE.heads[1])},
    "a head's name": {"heads": (msgspec.structs.replace(WHOLE.heads[0], name="x"), WHOLE.heads[1])},
    "the heads' number": {"heads": WHOLE.heads[:1], "w_output": None},
    "the focus": {"focus": 3},
    "the temperature": {"temperature": 2.0},
    "scaling": {"scaled": False},
    "causality": {"causal": True},
    "positions": {"positions": "sinusoidal"},
    "the mask": {"mask": ((True,) * 4,) * 4},
    "embeddings": {"embeddings": ((7.0, 7.0),) * 4},
    "the last matrix": {"w_output": ((7.0, 7.0),) * 4},
    "stories there are now": {"asks": ("a", "b", "c", "d")},
}


@pytest.fixture
def looked_for(kept, rendered):
    """What is found for the clip that was kept, once the document is another."""
    job, clip = rendered
    kept.keep_clip(with_document(job, WHOLE), clip)
    return lambda **changes: kept.clip(with_document(job, told(**changes)))


def test_nothing_changed_is_the_same_clip_in_another_file(looked_for, rendered):
    _, clip = rendered
    found = looked_for()
    assert (found.frames, found.read, found.path.suffix) == (10, clip.read, ".mp4")
    assert found.path != clip.path
    assert found.path.read_bytes() == b"a film of a bar"


@pytest.mark.parametrize("changes", UNREAD.values(), ids=UNREAD)
def test_what_the_scene_did_not_read_may_change(looked_for, changes):
    assert looked_for(**changes) is not None


@pytest.mark.parametrize("changes", READ.values(), ids=READ)
def test_what_the_scene_has_read_may_not(looked_for, changes):
    assert looked_for(**changes) is None


def test_every_field_of_the_document_is_either_tried_here_or_its_version():
    tried = {name for changes in (*UNREAD.values(), *READ.values()) for name in changes}
    fields = set(WHOLE.__struct_fields__) - {"byhand", "shows", "gives"}
    assert tried == fields


def test_a_still_that_carries_its_document_depends_on_all_of_it(kept, rendered):
    job, clip = rendered
    still = msgspec.structs.replace(with_document(job, WHOLE), output="still")
    kept.keep_clip(still, clip)
    assert kept.clip(still) is not None
    assert kept.clip(with_document(still, told(title="Another"))) is None
    bare = msgspec.structs.replace(still, embed=False)
    kept.keep_clip(bare, clip)
    assert kept.clip(with_document(bare, told(title="Another"))) is not None


def test_a_clip_of_which_nobody_knows_what_it_read_is_not_kept(kept, rendered):
    job, clip = rendered
    kept.keep_clip(job, msgspec.structs.replace(clip, read=None))
    assert kept.clip(job) is None


def test_a_damaged_clip_is_not_there(kept, rendered):
    job, clip = rendered
    kept.keep_clip(job, clip)
    (item,) = kept.store.items()
    path = Path(item.path)
    path.write_bytes(path.read_bytes().replace(b"film", b"fiLm"))
    assert kept.clip(job) is None
    assert not list(Path(job.workspace).iterdir())


def test_two_sentences_clips_stand_side_by_side(kept, rendered):
    job, clip = rendered
    other = with_document(job, told(words=("a", "cat", "sat", "down")))
    first = with_document(job, WHOLE)
    kept.keep_clip(first, clip)
    clip.path.write_bytes(b"another")
    kept.keep_clip(other, clip)
    assert kept.clip(first).path.read_bytes() == b"a film of a bar"
    assert kept.clip(other).path.read_bytes() == b"another"


def test_a_plan_is_kept_by_itself(kept, rendered):
    job, clip = rendered
    kept.keep_plan(job, Plan("bar", 12, 10, (), read=clip.read))
    assert kept.plan(job).frames == 12
    assert kept.clip(job) is None


# Code, packages, libraries, fonts


def surroundings():
    dependencies.here.cache_clear()
    return dict(dependencies.here())


@pytest.mark.parametrize(
    "package",
    [
        *("byhand", "manim", "numpy", "av", "pycairo", "manimpango", "pillow", "typst", "scipy"),
        *("fontpkg-inter", "svgelements", "mapbox-earcut", "skia-pathops", "msgspec"),
    ],
)
def test_another_version_of_a_package_makes_other_clips(monkeypatch, package):
    before = surroundings()
    real = metadata.distribution

    def distribution(name):
        found = real(name)
        head = found.read_text("METADATA")
        if name != package:
            return found
        said = head.replace(f"Version: {found.version}", "Version: 99")
        return types.SimpleNamespace(version="99", read_text=lambda file: said)

    monkeypatch.setattr(metadata, "distribution", distribution)
    assert surroundings() == before | {package: "99"}


@pytest.mark.parametrize(
    ("place", "value", "name"),
    [
        ("platform.python_version", lambda: "3.99", "Python"),
        ("cairo.cairo_version_string", lambda: "9.9", "cairo library"),
        ("manimpango.pango_version", lambda: "9.9", "pango library"),
        ("av.library_versions", {"libavcodec": (99, 1, 2)}, "FFmpeg"),
        ("sysconfig.get_platform", lambda: "toaster", "system"),
    ],
)
def test_another_version_beneath_makes_other_clips(monkeypatch, place, value, name):
    before = surroundings()
    monkeypatch.setattr(place, value)
    after = surroundings()
    assert {key for key in after if after[key] != before[key]} == {name}


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are elsewhere")
def test_a_font_more_or_another_in_its_place_makes_other_clips(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    states = [surroundings()]
    font = tmp_path / "fonts" / "deep" / "Mine.ttf"
    font.parent.mkdir(parents=True)
    font.write_bytes(b"one")
    states.append(surroundings())
    font.write_bytes(b"two")
    os.utime(font, ns=(1, 1))
    states.append(surroundings())
    assert len({state["font files"] for state in states}) == 3
    assert states[0]["fonts"] != states[1]["fonts"]


@pytest.mark.skipif(sys.platform != "linux", reason="fonts are chosen otherwise")
def test_another_choice_of_fonts_makes_other_clips(monkeypatch, tmp_path):
    before = surroundings()
    settings = tmp_path / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{tmp_path}/here</dir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(settings))
    after = surroundings()
    assert after["font settings"] != before["font settings"]
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "Mine.otf").write_bytes(b"one")
    assert surroundings()["font files"] != after["font files"]


@pytest.mark.skipif(sys.platform != "linux", reason="libraries come with their packages")
def test_the_libraries_that_draw_are_looked_at():
    names = {os.path.basename(path).split(".")[0] for path in dependencies._libraries()}
    assert {"libcairo", "libpango-1", "libfreetype", "libm"} <= names


@pytest.fixture(scope="module")
def copied_house(tmp_path_factory):
    """A copy of the rooms that draw, and the digest of a job as it is asked for from there."""
    root = tmp_path_factory.mktemp("house")
    for room in ("engine", "scenes", "export"):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "some_scenes.py").write_text("class Bar: pass")

    def digest():
        code = (
            "from engine.presets import load_preset; from engine.files import format_sentence\n"
            "from export.jobs import Job; from export.kept_clips import *\n"
            "from export.options import *\n"
            "text = format_sentence(load_preset())\n"
            "job = Job(scene='a', target='some_scenes:Bar', document=text)\n"
            "options = RenderOptions(sentence=load_preset(), films=choose_films(['softmax']))\n"
            "print(asked_digest(job), film_name(options, options.films[0], [], []))"
        )
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    digest.root = root
    return digest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "clips", "films"),
    [
        ("engine/softmax.py", True, True),
        ("engine/presets/two-heads.byhand.json", True, True),
        ("scenes/stage.py", True, True),
        ("scenes/parts/type.py", True, True),
        ("export/worker.py", True, False),
        ("export/encoder.py", True, False),
        ("export/readings.py", True, False),
        ("export/transcript.py", False, True),
        ("export/gif.py", False, True),
        ("some_scenes.py", True, False),
        ("export/cli.py", False, False),
        ("export/store.py", False, False),
    ],
)
def test_touched_code_makes_what_it_draws_anew(copied_house, file, clips, films):
    before = copied_house()
    path = copied_house.root / file
    text = path.read_text()
    path.write_text(text + "\n")
    after = copied_house()
    path.write_text(text)
    assert [one != other for one, other in zip(before, after)] == [clips, films]


@pytest.mark.slow
def test_the_worker_imports_nothing_of_ours_that_is_not_looked_at(stub_job):
    code = (
        "import sys, json, export.worker, export.encoder; from export import worker\n"
        "from export.jobs import Job; import msgspec\n"
        "worker._do(msgspec.json.decode(sys.stdin.read(), type=Job), lambda message: None)\n"
        "print(json.dumps([n for n in sys.modules if n.split('.')[0] == 'export']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=msgspec.json.encode(stub_job("Bar")).decode(),
        capture_output=True,
        text=True,
        check=True,
        cwd=stub_job("Bar").workspace,
    )
    imported = set(json.loads(done.stdout.splitlines()[-1]))
    assert "export.encoder" in imported
    assert imported <= {
        part for part in dependencies._imported("export.worker") if part == str(part)
    }


# Films


def test_a_films_files_depend_on_its_clips_and_on_how_it_was_asked_for(post, rendered):
    job, clip = rendered
    options = RenderOptions(sentence=post, films=choose_films(["lecture"]))
    (film,) = options.films

    def name(clip=clip, **changes):
        return film_name(replace(options, **changes), film, [job], [clip])

    others = [
        name(theme="dark"), name(captions="none"), name(embed=False), name(pace="slow"),
        name(sentence=msgspec.structs.replace(post, title="Another")),
        film_name(options, choose_films(["part1"])[0], [job], [clip]),
        name(clip=msgspec.structs.replace(clip, read=(*clip.read, "words[1]"))),
    ]  # fmt: skip
    assert len({name(), *others}) == 8
    assert name(output="elsewhere", force=True, jobs=1, keep=False) == name()


# The command


@pytest.fixture
def keeping(tmp_path, monkeypatch):
    """Has the command keep what it renders, in a folder of this test's."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(FOLDER, str(folder))
    monkeypatch.setenv(LIMIT, "1GB")
    return folder


def draft(*arguments):
    return ("render", *arguments, "--quality", "draft")


def events_of(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def drawn_by(done):
    assert (done.returncode, done.stderr) == (0, "")
    return {event["scene"] for event in events_of(done) if event["event"] == "started"}


def films_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_rendered_again_nothing_is_drawn_and_every_file_is_the_same(stub_byhand, keeping):
    first = stub_byhand(*draft("part1", "-o", "one", "--json"))
    second = stub_byhand(*draft("part1", "-o", "other", "--json"))
    assert len(drawn_by(first)) == 7
    assert drawn_by(second) == set()
    assert [event["scene"] for event in events_of(second) if event.get("kept")]
    assert films_in(stub_byhand.folder / "one") == films_in(stub_byhand.folder / "other")


@pytest.mark.slow
def test_a_changed_word_draws_only_the_scenes_that_show_it(stub_byhand, keeping, tmp_path):
    file = tmp_path / "cat.byhand.json"
    asked = draft("slide", "bar", "colours", "--captions", "srt", "--json", "--force")
    for word in ("the", "a"):
        post = load_preset()
        words = (word, *post.words[1:])
        file.write_text(format_sentence(msgspec.structs.replace(post, words=words)))
        done = stub_byhand(*asked, "--sentence", str(file))
    assert drawn_by(done) == {"slide"}
    assert "a is on the left" in (stub_byhand.folder / "slide.srt").read_text()
    clean = stub_byhand(*asked, "--sentence", str(file), "--no-cache", "-o", "clean")
    assert drawn_by(clean) == {"slide", "bar", "colours"}
    drawn = films_in(stub_byhand.folder / "clean")
    assert {name: (stub_byhand.folder / name).read_bytes() for name in drawn} == drawn


@pytest.mark.slow
@pytest.mark.case(28)
def test_a_changed_number_is_the_new_one_though_the_old_film_is_kept(
    stub_byhand, keeping, document_file
):
    """Case 28, where clips are kept: the new video shows the new number."""
    widths = []
    for number in (4, 8, 4):
        asked = ("--quality", "draft", "--sentence", str(document_file(number)), "--force")
        assert stub_byhand("render", "bar", *asked).returncode == 0
        with av.open(str(stub_byhand.folder / "bar.mp4")) as film:
            last = list(film.decode(video=0))[-1].to_ndarray(format="gray")
        widths.append((last[240] < 128).sum())
    assert widths == pytest.approx([240, 480, 240], abs=3)


@pytest.mark.slow
def test_what_is_damaged_is_drawn_again(stub_byhand, keeping):
    stub_byhand(*draft("bar", "-o", "one"))
    for path in keeping.rglob("*.kept"):
        data = path.read_bytes()
        path.write_bytes(data[:-9] + bytes(9))
    done = stub_byhand(*draft("bar", "-o", "other", "--json"))
    assert drawn_by(done) == {"bar"}
    assert films_in(stub_byhand.folder / "one") == films_in(stub_byhand.folder / "other")


@pytest.mark.slow
def test_a_plan_is_made_once(stub_byhand, keeping):
    first = stub_byhand(*draft("slide", "--dry-run"))
    (plan,) = keeping.rglob("*.kept")
    made = plan.stat().st_ino
    assert stub_byhand(*draft("slide", "--dry-run")).stdout == first.stdout
    assert plan.stat().st_ino == made


@pytest.mark.slow
def test_without_a_place_to_keep_it_a_film_is_rendered_all_the_same(stub_byhand, keeping):
    keeping.write_text("a file, where a folder should be")
    done = stub_byhand(*draft("bar"))
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_says_what_is_kept_and_lets_go_of_it(keeping, rendered, capsys):
    from export.cli import main

    assert main(["cache"]) == 0
    assert capsys.readouterr().out == f"{keeping}: 0 files, 0 bytes of at most 1 GB\n"
    KeptClips(Store(keeping, 10**9)).keep_clip(*rendered)
    assert main(["cache", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["files"], said["limit"], said["bytes"] > 100) == (1, 10**9, True)
    main(["cache"])
    assert "1 file, " in (line := capsys.readouterr().out)
    assert ", the oldest last of use on 2" in line
    assert main(["cache", "--clear"]) == 0
    assert "1 file removed" in capsys.readouterr().out
    assert not list(keeping.rglob("*.kept"))


def test_a_limit_that_is_none_is_refused_in_one_line(keeping, monkeypatch, capsys):
    from export.cli import main

    monkeypatch.setenv(LIMIT, "much")
    assert main(["cache"]) == 2
    assert capsys.readouterr().err.endswith("is no size: try 20GB, 500MB, or 0 to keep nothing\n")
