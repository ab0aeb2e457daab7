import io
import struct
import subprocess
import sys
import zlib
from xml.sax.saxutils import escape

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from engine import SentenceError, read_sentence, write_sentence
from engine.files import format_sentence
from engine.sentence import new_sentence
from export.carried import document_carried_by, document_in, read_document_or_carrier
from export.pool import render_clip

SENTENCE = new_sentence("the naïve 猫 <b>&amp; (a\\b) 😀")


@pytest.fixture
def text():
    return format_sentence(SENTENCE)


def png(path, **texts):
    about = PngInfo()
    for key, (text, how) in texts.items():
        getattr(about, how)(key, text)
    Image.new("RGB", (4, 3)).save(path, pnginfo=about)
    return path


def test_a_png_gives_back_its_document(tmp_path, text):
    picture = png(tmp_path / "a.png", Title=("x", "add_text"), byhand=(text, "add_itxt"))
    assert read_document_or_carrier(picture) == (SENTENCE, True)


def test_a_compressed_text_in_a_png_is_read_too(tmp_path, text):
    about = PngInfo()
    about.add_itxt("byhand", text, zip=True)
    Image.new("RGB", (4, 3)).save(tmp_path / "a.png", pnginfo=about)
    assert document_carried_by(tmp_path / "a.png") == text


def test_a_still_of_ours_gives_back_its_document(stub_job, post):
    clip = render_clip(stub_job("Slide", output="still"))
    assert read_document_or_carrier(clip.path) == (post, True)


def test_a_video_of_ours_gives_back_its_document_without_av(tmp_path, text, monkeypatch, stub_job):
    from export.lecture import join_clips

    film = tmp_path / "film.mp4"
    join_clips([render_clip(stub_job("Slide"))], film, title="x", document=text)
    monkeypatch.setitem(sys.modules, "av", None)
    assert read_document_or_carrier(film) == (SENTENCE, True)


@pytest.mark.parametrize("format", ["webm", "mov", "gif"])
def test_a_film_in_every_format_gives_back_its_document(stub_byhand, post, format, monkeypatch):
    done = stub_byhand("render", "bar", "--quality", "draft", "--format", format)
    assert done.returncode == 0, done.stderr
    film = stub_byhand.folder / f"bar.{format}"
    assert read_document_or_carrier(film) == (post, True)
    (stub_byhand.folder / "cut").write_bytes(film.read_bytes()[:40])
    assert document_carried_by(stub_byhand.folder / "cut") is None
    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.delitem(sys.modules, "export.lecture", raising=False)
    with pytest.raises(SentenceError, match=rf"a {format} can't be read without av; pip install"):
        read_document_or_carrier(film)


def test_a_video_without_a_document_says_so(tmp_path, stub_job):
    clip = render_clip(stub_job("Slide"))
    with pytest.raises(SentenceError, match=r"carries no document: this mp4 .*without$"):
        read_document_or_carrier(clip.path)


def test_an_svg_gives_back_the_document_in_its_metadata(tmp_path, text):
    picture = tmp_path / "a.svg"
    picture.write_text(
        '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><title>{no}</title>'
        '<metadata><byhand xmlns="urn:byhand">' + escape(text) + "</byhand></metadata></svg>",
        encoding="utf-8",
    )
    assert read_document_or_carrier(picture) == (SENTENCE, True)


@pytest.mark.parametrize("key", ["Subject", "Keywords"])
def test_a_pdf_by_matplotlib_gives_back_the_document_in_its_information(tmp_path, text, key):
    program = (
        "import sys, matplotlib; matplotlib.use('pdf'); from matplotlib import pyplot;"
        "pyplot.figure().savefig(sys.argv[1], metadata={sys.argv[2]: sys.argv[3]})"
    )
    page = tmp_path / "a.pdf"
    subprocess.run([sys.executable, "-c", program, str(page), key, text], check=True)
    assert read_document_or_carrier(page) == (SENTENCE, True)


def test_a_document_is_no_carrier_whatever_its_name(tmp_path):
    write_sentence(SENTENCE, tmp_path / "odd.png")
    assert read_document_or_carrier(tmp_path / "odd.png") == (SENTENCE, False)


def test_a_picture_without_a_document_says_so(tmp_path):
    with pytest.raises(SentenceError, match="carries no document: this PNG"):
        read_document_or_carrier(png(tmp_path / "a.png", Comment=("{", "add_text")))


def test_a_carried_document_that_is_broken_is_refused_by_its_place(tmp_path):
    picture = png(tmp_path / "a.png", byhand=('{"byhand": 99}', "add_itxt"))
    with pytest.raises(SentenceError, match=r"a\.png: byhand: is 99, of a newer byhand"):
        read_document_or_carrier(picture)


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(SentenceError, match="there is no such file"):
        read_document_or_carrier(tmp_path / "nowhere.png")


@pytest.mark.parametrize("kind", ["png", "mp4", "pdf", "svg"])
def test_a_carrier_that_is_cut_short_anywhere_raises_nothing_but_a_refusal(tmp_path, text, kind):
    whole = {"png": _png_bytes, "mp4": _mp4_bytes, "pdf": _pdf_bytes, "svg": _svg_bytes}[kind](text)
    path = tmp_path / "cut"
    for length in {*range(80), *range(0, len(whole), 37)}:
        path.write_bytes(whole[:length])
        try:
            sentence, _ = read_document_or_carrier(path)
        except SentenceError:
            continue
        assert sentence == SENTENCE


def test_a_small_chunk_that_holds_gigabytes_is_not_let_out(tmp_path):
    bomb = zlib.compress(b"{" * 100_000_000)
    chunk = b"byhand\0\1\0\0\0" + bomb
    data = _png_bytes("{}")[:33] + struct.pack(">I", len(chunk)) + b"iTXt" + chunk + b"\0\0\0\0"
    (tmp_path / "bomb.png").write_bytes(data)
    with pytest.raises(SentenceError):
        read_document_or_carrier(tmp_path / "bomb.png")


# Not resource's maximum, which a process inherits from who has started it.
MEMORY = """
import sys
from engine.files import SentenceError
from export.carried import read_document_or_carrier
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
before = peak()
try:
    read_document_or_carrier(sys.argv[1])
except SentenceError:
    print((peak() - before) // 1024)
"""


def _inflating(count):
    """A PNG of so many small chunks that are 8 MB of text each."""
    chunk = b"byhand\0\1\0\0\0" + zlib.compress(b"x" * 8_000_000)
    return (
        _png_bytes("{}")[:33] + (struct.pack(">I4s", len(chunk), b"iTXt") + chunk + b"0000") * count
    )


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the most that there was")
@pytest.mark.parametrize(
    "text",
    [
        "<svg>" + "<a/>" * 1_000_000,
        "<svg><metadata>" + "<a>{</a>" * 500_000,
        "<svg><metadata>" + "{\n" * 1_000_000,
        '<!DOCTYPE svg [<!ENTITY a "' + "x" * 9000 + '">]><svg><metadata>' + "&a;" * 1_000_000,
        "%PDF-" + "/Subject({" * 500_000,
        "%PDF-/Subject({" + "(" * 1_000_000,
        "<svg " + "".join(f"a{i}='' " for i in range(2_000_000)) + "/>",
        "<svg a='😀" + "x" * 40_000_000 + "'/>",
        '<!doctype html>\n<script type="application/json" id="byhand">{😀' + "x" * 50_000_000,
        lambda: _inflating(4_000),
    ],
    ids=[
        "elements", "texts", "lines", "entities", "entries", "parentheses", "attributes",
        "attribute", "page", "inflated",
    ],
)  # fmt: skip
def test_a_huge_picture_of_a_strangers_takes_little_memory_and_no_hours(tmp_path, text):
    path = tmp_path / "huge"
    path.write_bytes(text() if callable(text) else text.encode())
    told = subprocess.run(
        [sys.executable, "-c", MEMORY, path], capture_output=True, text=True, timeout=60
    )
    assert told.stderr == ""
    assert int(told.stdout) < 130


def test_boxes_that_lie_about_their_size_end_the_search(tmp_path):
    for size in (0, 1, 7, 2**31):
        (tmp_path / "a.mp4").write_bytes(
            struct.pack(">I4s", 12, b"ftyp") + b"isom" + struct.pack(">I4s", size, b"moov") * 3
        )
        assert document_carried_by(tmp_path / "a.mp4") is None


def test_what_is_read_back_is_what_was_saved(tmp_path, text):
    write_sentence(SENTENCE, tmp_path / "a.byhand.json")
    picture = png(tmp_path / "a.png", byhand=(text, "add_itxt"))
    assert read_document_or_carrier(picture)[0] == read_sentence(tmp_path / "a.byhand.json")


def _png_bytes(text):
    about, file = PngInfo(), io.BytesIO()
    about.add_itxt("byhand", text)
    Image.new("RGB", (4, 3)).save(file, "PNG", pnginfo=about)
    return file.getvalue()


def _box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def _mp4_bytes(text):
    comment = _box(b"\xa9cmt", _box(b"data", b"\0\0\0\1\0\0\0\0" + text.encode()))
    meta = _box(b"meta", b"\0\0\0\0" + _box(b"hdlr", b"\0" * 25) + _box(b"ilst", comment))
    return _box(b"ftyp", b"isom") + _box(b"moov", _box(b"mvhd", b"\0" * 9) + _box(b"udta", meta))


def _pdf_bytes(text):
    return b"%PDF-1.4\n<< /Subject <feff" + text.encode("utf-16-be").hex().encode() + b"> >>"


def _svg_bytes(text):
    return f"<svg><metadata><a>{escape(text)}</a></metadata></svg>".encode()


# Pages


def page(path, script):
    body = f'<script type="text/plain" class="clip">{"A" * 5000}</script>\n{script}'
    path.write_text(f"<!doctype html>\n<html>\n<body>\n{body}\n</body>\n</html>\n", "utf-8")
    return path


def test_a_page_of_slides_gives_back_its_document(tmp_path, stub_job, post):
    from export.options import RenderOptions, choose_films
    from export.slide_page import slide_page

    options = RenderOptions(sentence=post, films=choose_films(["softmax"]), captions="none")
    file = tmp_path / "slides.html"
    file.write_text(slide_page(options, {"softmax": render_clip(stub_job("Slide"))}), "utf-8")
    assert read_document_or_carrier(file) == (post, True)


def test_the_words_of_a_page_come_back_whole(tmp_path, text):
    escaped = text.replace("\n", "").replace("<", "\\u003c")
    script = f'<script type="application/json" id="byhand">{escaped}</script>'
    assert read_document_or_carrier(page(tmp_path / "a.html", script)) == (SENTENCE, True)


def test_a_page_without_a_document_is_refused_by_name(tmp_path):
    with pytest.raises(SentenceError, match="carries no document: this page isn't byhand's"):
        read_document_or_carrier(page(tmp_path / "a.html", "<p>no</p>"))


def test_bytes_carry_what_the_file_does(tmp_path, text):
    picture = png(tmp_path / "a.png", byhand=(text, "add_itxt"))
    assert document_in(picture.read_bytes()) == text
    assert document_in(text.encode()) is None
    assert document_in(b"") is None
