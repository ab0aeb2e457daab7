"""A bundle: everything a post needs is there, whole, and reaches for nothing outside it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import av
import msgspec
import pytest
from markdown_it import MarkdownIt
from PIL import Image

from engine.files import read_sentence
from engine.presets import load_preset
from export.bundle import make_bundle
from export.bundle_clips import MadeClip
from export.bundle_markup import ShownFigure, clip_html, clip_markdown, figure_html, figure_markdown
from export.bundle_options import BundleOptions, ClipChoice, choose_clips, default_clips
from export.bundle_page import bundle_page
from export.bundle_tables import tables_sheet
from export.bundle_words import clip_alt, markdown_text
from export.carried import document_carried_by
from export.cli import main
from export.figures import FIGURES
from export.hard_sentences import HARD_SENTENCES
from export.worksheets.as_markdown import markdown_of
from scenes import SceneEntry, find_scene
from scenes.beats import Beat

HERE = Path(__file__).parent
STUB_BYHAND = HERE / "stub_byhand.py"
HOSTILE = "</script><img src=x onerror=alert(1)>](http://evil.example) *`_ &amp; -->"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """A bundle with one short clip, made by the command; its folder and what was said."""
    folder = tmp_path_factory.mktemp("bundled") / "it's a post"
    command = [sys.executable, STUB_BYHAND, "bundle", str(folder), "--clip", "slide:2"]
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    done = subprocess.run(
        [*command, "--quality", "draft", "--json"], capture_output=True, text=True, timeout=300,
        env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return folder, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def page(bundled):
    return (bundled[0] / "index.html").read_text("utf-8")


@pytest.fixture
def quick(monkeypatch):
    """Figures that take no time, and no clips."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
    monkeypatch.setattr("export.figure.draw_file", lambda options, file: svg)


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


NAMES = [entry.name for entry in FIGURES]
WANTED = {
    *("index.html", "alt-text.txt", "tables.md", "worksheet.html", "worksheet.md"),
    *("worksheet-blank.html", "sentence.byhand.json", "clips/slide.vtt"),
    *(f"figures/{name}{end}" for name in NAMES for end in (".svg", "-light.png", "-dark.png")),
    *(f"clips/slide-{one}.{end}" for one in ("light", "dark") for end in ("mp4", "webm", "png")),
}

pytestmark = pytest.mark.slow


def test_a_bundle_is_complete(bundled):
    assert files_in(bundled[0]) == WANTED


def test_the_last_event_names_every_file_and_the_page_first(bundled):
    folder, events = bundled
    assert events[-1]["event"] == "done"
    assert events[-1]["files"][0] == str(folder / "index.html")
    assert {str(Path(file).relative_to(folder)) for file in events[-1]["files"]} == WANTED


def test_figures_and_clips_tell_how_far_they_are(bundled):
    last = {event["scene"]: event for event in bundled[1] if event["event"] == "progress"}
    assert last.keys() == {
        "figures", *(f"slide-{one}.{end}" for one in ("light", "dark") for end in ("mp4", "webm"))
    }  # fmt: skip
    assert (last["figures"]["frame"], last["figures"]["frames"]) == (33, 33)


def addresses_in(page):
    page = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    found = re.findall(r'(?:src|srcset|href|poster|data-dark-poster|data-of)="([^"]*)"', page)
    return {unquote(address) for address in found if not address.startswith("#")}


def test_every_address_in_the_page_is_a_file_of_the_bundle(bundled, page):
    addresses = addresses_in(page)
    assert len(addresses) == 6 + len(NAMES) + 7
    assert addresses <= WANTED


def test_every_address_to_be_pasted_is_a_file_of_the_bundle(accessibility, page):
    elements, _ = accessibility.read(page)
    pasted = "".join(one.text for one in elements if one.tag == "code")
    addresses = addresses_in(pasted) | set(re.findall(r"\]\(([^)]*)\)", pasted))
    assert len(addresses) == 3 * len(NAMES) + 7
    assert addresses <= WANTED


def test_nothing_in_it_is_fetched_from_elsewhere(bundled):
    folder, _ = bundled
    for file in folder.rglob("*"):
        if file.suffix in (".html", ".svg", ".md", ".txt", ".vtt", ".json"):
            text = file.read_text("utf-8")
            text = re.sub(r'xmlns(:xlink)?="http://www\.w3\.org/[^"]*"', "", text)
            assert not re.search(r"https?:|[\"'(]//|@import", text), file.name


def test_the_page_stands_in_nobodys_way(accessibility, page):
    assert accessibility.problems(page) == []


def test_what_is_seen_is_what_is_pasted(accessibility, page):
    elements, _ = accessibility.read(page)
    markup = {one.attributes.get("id", ""): one.text for one in elements if one.tag == "code"}
    shown = [text for name, text in markup.items() if name.endswith("-html")]
    assert len(shown) == len(FIGURES) + 1
    for text in shown:
        assert f"\n{text}\n" in page


def test_no_clip_plays_by_itself_before_its_script_has_asked(page):
    assert "<video" in page
    assert "autoplay" not in page
    assert "prefers-reduced-motion" in page


def test_a_clip_is_the_beats_that_were_asked_for(bundled):
    for end in ("mp4", "webm"):
        with av.open(str(bundled[0] / f"clips/slide-light.{end}")) as film:
            assert [stream.type for stream in film.streams] == ["video"]
            assert len(list(film.decode(video=0))) == 22  # the second beat, at 15 a second
    captions = (bundled[0] / "clips/slide.vtt").read_text("utf-8")
    assert captions.startswith("WEBVTT\n\n00:00:00.000 --> ")
    assert "the is on the right" in captions
    assert "left" not in captions


def test_a_poster_is_the_clips_picture(bundled):
    with Image.open(bundled[0] / "clips/slide-light.png") as picture:
        assert picture.size == (854, 480)
        assert picture.convert("L").getextrema() == (0, 255)


def test_pictures_come_in_light_and_dark(bundled):
    for name in NAMES:
        corners = []
        for theme in ("light", "dark"):
            with Image.open(bundled[0] / f"figures/{name}-{theme}.png") as picture:
                corners.append(picture.convert("RGB").getpixel((0, 0)))
        assert corners == [(255, 255, 255), (17, 21, 27)]
        assert "prefers-color-scheme:dark" in (bundled[0] / f"figures/{name}.svg").read_text()


def test_the_document_is_there_and_in_the_files(bundled):
    folder, _ = bundled
    assert read_sentence(folder / "sentence.byhand.json") == load_preset()
    for name in ("figures/weights.svg", "figures/weights-dark.png", "clips/slide-dark.mp4",
                 "clips/slide-light.png"):  # fmt: skip
        assert document_carried_by(folder / name) is not None, name


def test_the_size_in_the_markup_is_the_pictures(bundled, page):
    width, height = re.search(
        r'src="figures/weights.svg" width="(\d+)" height="(\d+)"', page
    ).groups()
    with Image.open(bundled[0] / "figures/weights-light.png") as picture:
        assert picture.size == pytest.approx((2 * int(width), 2 * int(height)), abs=2)


def test_the_scripts_are_javascript(bundled, page):
    scripts = re.findall(r"<script>\n(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 2
    for script in scripts:
        for open_, close in ("()", "[]", "{}"):
            assert script.count(open_) == script.count(close)


def test_the_worksheet_has_a_page_a_word(bundled):
    sheet = (bundled[0] / "worksheet.html").read_text("utf-8")
    assert len(re.findall("takes from each word</h2>", sheet)) == 4


# Strangers' words


@pytest.fixture
def hostile():
    words = (HOSTILE, "שלום", "#x_$]@ref", "www.evil.example")
    return msgspec.structs.replace(load_preset(), words=words, title=HOSTILE, focus=0)


def clip_of(caption):
    beats = (Beat("One", caption, 0.0, 2.0, ()),)
    return MadeClip("softmax", "Softmax", 1280, 720, 2.0, beats)


def figure_of(text):
    return ShownFigure("weights", "Who listens to whom", f"Caption: {text}", text, 100, 50)


def page_of(sentence):
    options = BundleOptions(sentence=sentence, folder=Path())
    text = sentence.words[0]
    tables = tables_sheet(sentence, 0, digits=2, rows="queries")
    return bundle_page(
        options, [figure_of(text)], [clip_of(text)], ["WEBVTT\n"], tables, markdown_of(tables)
    )


def test_a_strangers_words_add_no_element_to_the_page(accessibility, hostile):
    tags = [
        [one.tag for one in accessibility.read(page_of(sentence))[0]]
        for sentence in (hostile, load_preset())
    ]
    assert tags[0] == tags[1]


def test_a_page_of_strangers_words_stands_in_nobodys_way(accessibility, hostile):
    assert accessibility.problems(page_of(hostile)) == []


@pytest.mark.parametrize("title", HARD_SENTENCES)
def test_a_page_of_any_sentence_stands_in_nobodys_way(accessibility, title):
    assert accessibility.problems(page_of(HARD_SENTENCES[title])) == []


def test_words_in_pasted_markup_are_only_words(accessibility, hostile):
    for markup in (
        figure_html(figure_of(HOSTILE)),
        clip_html(clip_of(HOSTILE), hostile, ("light",)),
    ):
        elements, faults = accessibility.read(markup)
        assert faults == []
        assert not any("onerror" in one.attributes for one in elements)
        assert sum(HOSTILE in one.text for one in elements if one.tag in ("figcaption", "li"))


def markdown_tokens(text):
    parser = MarkdownIt("gfm-like", {"linkify": False})
    return [inner for token in parser.parse(text) for inner in token.children or [token]]


@pytest.mark.parametrize(
    "word", [HOSTILE, "](x) ![", "www.evil.example", "a\\", "`", "@you", "<b>"]
)
def test_words_in_markdown_are_only_words(word, hostile):
    tokens = markdown_tokens(figure_markdown(figure_of(word)))
    (image,) = [token for token in tokens if token.type == "image"]
    assert "".join(one.content for one in image.children) == word
    assert image.attrs["src"] == "figures/weights.svg"
    assert [token.content for token in tokens if token.type == "text"][-1].endswith(
        markdown_tokens(markdown_text(word))[1].content
    )
    assert not [t for t in tokens if t.type in ("link_open", "html_inline", "code_inline")]


def test_a_clip_in_markdown_is_its_poster_which_leads_to_it(hostile):
    clip = clip_of(HOSTILE)
    tokens = markdown_tokens(
        clip_markdown(clip, hostile, clip_alt(clip, hostile), ("light", "dark"))
    )
    (link,) = [token for token in tokens if token.type == "link_open"]
    (image,) = [token for token in tokens if token.type == "image"]
    assert link.attrs["href"] == "clips/softmax-light.mp4"
    assert image.attrs["src"] == "clips/softmax-light.png"
    assert HOSTILE in "".join(one.content for one in image.children)


def test_every_table_is_a_table_whatever_the_words(hostile):
    text = markdown_of(tables_sheet(hostile, 0, digits=2, rows="queries"))
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    columns = [token.type for token in tokens if token.type in ("table_open", "tr_open")]
    assert columns.count("table_open") == 4
    assert columns.count("tr_open") == (1 + 4 + 1) + 3 * (1 + 4)


# Tables


def test_the_calculation_is_the_posts(post):
    text = markdown_of(tables_sheet(post, 0, digits=2, rows="queries"))
    assert "| cat | 4 | 2.83 | 16.92 | 0.73 | [2.94, 0.00] |" in text
    assert "| together |  |  | 23.03 | 1 | [3.03, 0.40] |" in text


def test_a_word_that_may_not_be_heard_gives_nothing():
    causal = msgspec.structs.replace(load_preset(), causal=True)
    text = markdown_of(tables_sheet(causal, 0, digits=2, rows="queries"))
    assert re.search(r"\| down \| 0 \| −∞ \| 0 \| -- \| -- \|", text)


def test_a_word_that_may_look_at_nothing_weighs_0_together():
    text = markdown_of(
        tables_sheet(HARD_SENTENCES["may look at nothing"], 0, digits=2, rows="queries")
    )
    assert "| together |  |  | 0 | 0 | [0, 0] |" in text


def test_every_head_has_its_weights():
    text = markdown_of(tables_sheet(load_preset("two-heads"), 0, digits=2, rows="queries"))
    heads = [head.name for head in load_preset("two-heads").heads]
    assert [f"### Weights of all words, head {name}" in text for name in heads] == [True, True]


# What is asked for


def test_a_clip_is_a_scene_or_some_of_its_beats():
    scene = find_scene("softmax")
    assert choose_clips(["softmax", "softmax:4", "Softmax:4-6"]) == (
        ClipChoice(scene), ClipChoice(scene, (4, 4)), ClipChoice(scene, (4, 6)),
    )  # fmt: skip
    assert choose_clips(["none"]) == ()
    assert choose_clips([]) == default_clips() != ()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("softmx", "did you mean softmax?"),
        ("lecture", "too long"),
        ("softmax:", "softmax:2"),
        ("softmax:x", "softmax:2"),
        ("softmax:0", "softmax:2-3"),
        ("softmax:3-2", "softmax:2-3"),
    ],
)
def test_what_is_no_clip_is_refused_with_what_to_try(asked, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        choose_clips([asked])


def test_two_clips_of_one_scene_would_have_one_name(post):
    with pytest.raises(ValueError, match="asked for twice"):
        BundleOptions(sentence=post, folder=Path(), clips=choose_clips(["softmax:1", "softmax:2"]))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["-o", "x"], "try byhand bundle x"),
        (["--digits", "9"], "--digits"),
        (["--clip", "nothing"], "no scene is called"),
        (["--sentence", "nowhere.json"], "nowhere.json"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_what_cannot_be_made_is_one_line(asked, said, tmp_path, capfd):
    folder = tmp_path / "post"
    assert main(["bundle", str(folder), *asked]) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1
    assert said in error
    assert not folder.exists()


def test_help_imports_no_numpy_manim_or_matplotlib():
    program = (
        "import sys; from export.cli import main; main(['bundle', '--help']);"
        "print([name for name in ('numpy', 'manim', 'matplotlib', 'av') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.usefixtures("quick")
def test_one_theme_has_one_file_of_each(tmp_path):
    assert main(["bundle", str(tmp_path), "--clip", "none", "--theme", "dark", "--quiet"]) == 0
    figures = {file for file in files_in(tmp_path) if file.startswith("figures/")}
    assert figures == {f"figures/{name}.{end}" for name in NAMES for end in ("svg", "png")}


@pytest.mark.usefixtures("quick")
def test_no_source_leaves_the_document_out(tmp_path):
    assert main(["bundle", str(tmp_path), "--clip", "none", "--no-source", "--quiet"]) == 0
    assert "sentence.byhand.json" not in files_in(tmp_path)
    assert "sentence.byhand.json" not in (tmp_path / "index.html").read_text()


@pytest.mark.usefixtures("quick")
def test_a_focus_word_has_the_worksheet_to_itself(tmp_path):
    main(["bundle", str(tmp_path), "--clip", "none", "--focus", "cat", "--quiet"])
    sheet = (tmp_path / "worksheet.html").read_text("utf-8")
    assert len(re.findall("takes from each word</h2>", sheet)) == 1
    assert "from where <b><bdi>\ncat" in (tmp_path / "index.html").read_text("utf-8")


# Nothing lost, nothing half


@pytest.mark.usefixtures("quick")
def test_nothing_is_overwritten_unless_forced(tmp_path, capfd):
    mine = tmp_path / "worksheet.md"
    mine.write_text("mine")
    (tmp_path / "post.md").write_text("my post")
    assert main(["bundle", str(tmp_path), "--clip", "none"]) == 2
    assert "worksheet.md exists: try --force" in capfd.readouterr().err
    assert files_in(tmp_path) == {"worksheet.md", "post.md"}
    assert main(["bundle", str(tmp_path), "--clip", "none", "--force", "--quiet"]) == 0
    assert mine.read_text() != "mine"
    assert (tmp_path / "post.md").read_text() == "my post"


@pytest.mark.usefixtures("quick")
def test_a_bundle_that_breaks_off_leaves_all_as_it_was(tmp_path, post, monkeypatch):
    folder = tmp_path / "post"
    (folder / "figures").mkdir(parents=True)
    (folder / "tables.md").write_text("mine")
    from export import placing

    place, placed = placing.place_file, []

    def interrupted(source, target):
        if len(placed) == 20:
            placed.append(target)
            raise KeyboardInterrupt
        placed.append(target)
        place(source, target)

    monkeypatch.setattr(placing, "place_file", interrupted)
    options = BundleOptions(sentence=post, folder=folder, force=True)
    with pytest.raises(KeyboardInterrupt):
        make_bundle(options, lambda event: None)
    assert len(placed) > 20
    assert files_in(tmp_path) == {"post/tables.md"}
    assert (folder / "tables.md").read_text() == "mine"
    assert (folder / "figures").is_dir()


@pytest.mark.usefixtures("quick")
def test_a_new_folder_is_gone_again_when_a_bundle_breaks_off(tmp_path, post, monkeypatch):
    from export import placing

    place = placing.place_file

    def full(source, target):
        if target.name == "weights.svg":
            raise OSError(28, "No space left on device", str(target))
        place(source, target)

    monkeypatch.setattr(placing, "place_file", full)
    with pytest.raises(OSError, match="No space left"):
        make_bundle(BundleOptions(sentence=post, folder=tmp_path / "a" / "b"), lambda event: None)
    assert not list(tmp_path.iterdir())


@pytest.mark.case(31)
def test_ctrl_c_leaves_no_child_and_no_half_bundle(start_stub_byhand, stub_byhand, tmp_path):
    """Case 31, its kind: Ctrl+C in a bundle: children gone, no half files, exit 130."""
    file, temporary = tmp_path / "pids", tmp_path / "temporary"
    temporary.mkdir()
    asked = ("bundle", "post", "--clip", "lingering", "--quality", "draft", "--json")
    process = start_stub_byhand(*asked, STUB_PIDS=str(file), TMPDIR=str(temporary))
    for line in process.stdout:
        if '"progress"' in line and "lingering" in line:
            break
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert "Traceback" not in process.stderr.read()
    assert not os.listdir(stub_byhand.folder)
    assert not os.listdir(temporary)


@pytest.mark.usefixtures("quick")
def test_a_scene_that_fails_is_left_out_and_told(tmp_path, monkeypatch, capfd):
    def stub(name):
        return SceneEntry(name, name.title(), "part1", f"stub_scenes:{name.title()}")

    monkeypatch.setattr("export.bundle_options.find_scene", stub)
    asked = ("--clip", "broken", "--clip", "bar", "--quality", "draft", "--theme", "light")
    assert main(["bundle", str(tmp_path / "post"), *asked]) == 1
    error = capfd.readouterr().err
    assert error == "byhand: can't render broken: RuntimeError: the plane is bent\n"
    clips = {name for name in files_in(tmp_path / "post") if name.startswith("clips/")}
    assert clips == {f"clips/bar.{end}" for end in ("mp4", "webm", "png", "vtt")}
    assert "clips/broken" not in (tmp_path / "post/index.html").read_text("utf-8")


@pytest.mark.usefixtures("quick")
def test_a_beat_that_is_not_there_is_refused(tmp_path, monkeypatch, capfd):
    entry = SceneEntry("bar", "Bar", "part1", "stub_scenes:Bar")
    monkeypatch.setattr("export.bundle_options.find_scene", lambda name: entry)
    assert main(["bundle", str(tmp_path / "post"), "--clip", "bar:1-4"]) == 2
    assert "bar has no beat 4: try --clip bar:1-1" in capfd.readouterr().err
    assert not (tmp_path / "post").exists()


@pytest.mark.usefixtures("quick")
def test_without_the_extra_the_rest_is_made(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("export.render.find_spec", lambda name: None)
    assert main(["bundle", str(tmp_path / "post")]) == 0
    said = capfd.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith("byhand: no clips: ")
    assert said.err.endswith("try pip install 'byhand[video]'\n")
    assert said.out.splitlines()[-1] == str(tmp_path / "post/index.html")
    assert not any(name.startswith("clips/") for name in files_in(tmp_path / "post"))
    assert 'id="clips"' not in (tmp_path / "post/index.html").read_text()


def test_without_the_extra_nothing_of_it_is_imported(tmp_path):
    program = """
import sys
for name in ("av", "manim"):
    sys.modules[name] = None
from pathlib import Path
from engine.presets import load_preset
from export import figure
figure.draw_file = lambda options, file: b'<svg width="10" height="20"/>'
from export.bundle import make_bundle
from export.bundle_options import BundleOptions
made = make_bundle(BundleOptions(load_preset(), Path("post")), lambda event: None)
print(len(made))
"""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert (done.stdout, done.stderr) == ("40\n", "")
