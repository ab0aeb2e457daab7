"""Clips into one video: packets copied as they are, never encoded twice.

All clips come from one encoder's settings (`export.encoder`), so they differ only in length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from export.jobs import Clip, Plan

if TYPE_CHECKING:
    # Progress is told without the extra `video` as well, and what tells it comes by here.
    from av.container import InputContainer, OutputContainer
    from av.packet import Packet
    from av.video.stream import VideoStream

__all__ = ["Chapter", "chapters_of", "chapters_text", "document_in", "join_clips"]

# bitexact: no version of the muxer in the file, so the same clips give the same bytes.
# faststart: the index first, so that a browser can begin before it has the whole file.
# A plain comment of a mov ends at 64 kB; a document may be longer.
_MUXING = {
    "mp4": {"fflags": "+bitexact", "movflags": "+faststart"},
    "webm": {"fflags": "+bitexact"},
    "mov": {"fflags": "+bitexact", "movflags": "+faststart+use_metadata_tags"},
}


@dataclass(frozen=True)
class Chapter:
    """A scene's place in the video, in seconds."""

    title: str
    start: Fraction
    end: Fraction


def chapters_of(plans: Iterable[Plan], titles: Mapping[str, str]) -> tuple[Chapter, ...]:
    """A chapter a scene, one after another; titles go by scene name."""
    chapters: list[Chapter] = []
    start = Fraction(0)
    for plan in plans:
        end = start + Fraction(plan.frames, plan.frame_rate)
        chapters.append(Chapter(titles.get(plan.scene, plan.scene), start, end))
        start = end
    return tuple(chapters)


def chapters_text(chapters: Iterable[Chapter]) -> str:
    """Chapters as a list of `0:00 Title`, as video sites read it from a description."""
    return "".join(f"{_clock(chapter.start)} {chapter.title}\n" for chapter in chapters)


def join_clips(
    clips: Sequence[Clip],
    target: Path,
    *,
    title: str,
    format: str = "mp4",
    chapters: Sequence[Chapter] = (),
    document: str | None = None,
) -> None:
    """Write clips as one mp4, webm or mov at `target`, with its title, chapters and document.

    The document stands in the metadata as `comment`; `document_in` reads it back. Raises
    ValueError where there are no clips, or where they weren't encoded alike.
    """
    import av

    if not clips:
        raise ValueError("there are no clips to join")
    with (
        av.open(f"file:{clips[0].path}") as first,
        av.open(f"file:{target}", "w", format=format, container_options=_MUXING[format]) as film,
    ):
        template = first.streams.video[0]
        film.metadata["title"] = title
        if document is not None:
            film.metadata["comment"] = document
        _mark(film, chapters)
        stream = film.add_stream_from_template(template)
        # A copy of the codec's settings doesn't say that there is alpha.
        if "alpha_mode" in template.metadata:
            stream.metadata["alpha_mode"] = template.metadata["alpha_mode"]
        for packet in _packets(clips, template):
            packet.stream = stream
            film.mux(packet)


def document_in(path: Path) -> str | None:
    """The document that a video carries, or None."""
    import av

    with av.open(f"file:{path}") as film:
        said = {name.lower(): text for name, text in film.metadata.items()}
    comment = said.get("comment", "")
    return comment if comment.lstrip().startswith("{") else None


def _packets(clips: Sequence[Clip], template: VideoStream) -> Iterator[Packet[VideoStream]]:
    """The packets of all clips, each clip's times moved to where the one before has ended."""
    import av

    before = 0
    for clip in clips:
        with av.open(f"file:{clip.path}") as container:
            stream = _like(container, template, clip)
            assert stream.time_base is not None
            # Ticks a frame; of a webm, which counts milliseconds, no whole number.
            tick = 1 / (clip.frame_rate * stream.time_base)
            offset = round(before * tick)
            for packet in container.demux(stream):
                # The demuxer ends with an empty packet. Without B-frames the rest are in order.
                if packet.pts is None:
                    continue
                packet.pts += offset
                packet.dts = packet.pts
                packet.duration = int(tick)
                yield packet
            before += clip.frames


def _like(container: InputContainer, template: VideoStream, clip: Clip) -> VideoStream:
    stream = container.streams.video[0]
    for one in ("width", "height", "extradata", "time_base"):
        owner = "codec_context" if one == "extradata" else None
        mine, theirs = (getattr(getattr(s, owner) if owner else s, one) for s in (stream, template))
        if mine != theirs:
            raise ValueError(f"{clip.scene} wasn't encoded like the clips before it ({one})")
    return stream


def _mark(film: OutputContainer, chapters: Sequence[Chapter]) -> None:
    milliseconds = Fraction(1, 1000)
    film.set_chapters(
        [
            {
                "id": number,
                "start": round(chapter.start / milliseconds),
                "end": round(chapter.end / milliseconds),
                "time_base": milliseconds,
                "metadata": {"title": chapter.title},
            }
            for number, chapter in enumerate(chapters)
        ]
    )


def _clock(seconds: Fraction) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
