"""A film's files: clips joined, and what stands beside them, each put into its place whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.files import format_sentence
from export.captions import captions_of, srt, vtt
from export.jobs import Clip, Plan
from export.lecture import Chapter, chapters_of, chapters_text, join_clips
from export.options import Film, RenderOptions
from export.placing import place_file, place_text

__all__ = ["film_clips", "write_beside", "write_film", "write_main"]


def film_clips(options: RenderOptions, film: Film, clips: Mapping[str, Clip]) -> list[Clip] | None:
    """The clips of a film in order, by scene name; None where one isn't there yet."""
    names = [piece.entry.name for piece in options.pieces_of(film)]
    return [clips[name] for name in names] if clips.keys() >= set(names) else None


def write_film(
    options: RenderOptions, film: Film, clips: Sequence[Clip], files: Sequence[Path], workspace: str
) -> None:
    """Put a film's files (`options.files_of`) into their places: the video or still first."""
    main, *beside = files
    write_main(options, film, clips, main, workspace)
    write_beside(options, film, clips, beside, workspace)


def write_main(
    options: RenderOptions, film: Film, clips: Sequence[Clip], main: Path, workspace: str
) -> None:
    """Put a film's own file, the video or still, into its place."""
    if options.format == "png":
        place_file(clips[0].path, main)
        return
    whole = Path(workspace, f"{film.name}.{options.format}")
    document = _document(options)
    if options.format == "gif":
        from export.gif import write_gif

        write_gif(clips, whole, document=document)
    else:
        join_clips(
            clips,
            whole,
            title=film.title,
            format=options.format or "mp4",
            chapters=_chapters(options, film, clips) if options.cut is None else (),
            document=document,
        )
    place_file(whole, main)


def write_beside(
    options: RenderOptions, film: Film, clips: Sequence[Clip], files: Sequence[Path], workspace: str
) -> None:
    """Put what stands beside a film (`options.files_of` without the first) into its places."""
    captions, document = captions_of(clips), _document(options)
    chapters = _chapters(options, film, clips)
    write: dict[str, Callable[[Path], None]] = {
        ".srt": lambda file: place_text(srt(captions), file),
        ".vtt": lambda file: place_text(vtt(captions), file),
        ".txt": lambda file: place_text(chapters_text(chapters), file),
        ".png": lambda file: _write_poster(clips, document, file, workspace),
        ".html": lambda file: _write_transcript(options, film, clips, file),
        ".pdf": lambda file: _write_handout(options, film, clips, document, file, workspace),
    }
    for file in files:
        write[file.suffix](file)


def _document(options: RenderOptions) -> str | None:
    return format_sentence(options.sentence) if options.embed else None


def _chapters(options: RenderOptions, film: Film, clips: Sequence[Clip]) -> tuple[Chapter, ...]:
    return chapters_of(_as_chapters(options, film, clips), _titles(film))


def _titles(film: Film) -> dict[str, str]:
    return {scene.name: scene.title for scene in film.scenes}


def _as_chapters(options: RenderOptions, film: Film, clips: Sequence[Clip]) -> list[Plan]:
    """The clips as a chapter a scene: what stands round a scene belongs to it."""
    chapters: list[Plan] = []
    for piece, clip in zip(options.pieces_of(film), clips):
        frames = clip.frames
        if chapters and chapters[-1].scene == piece.chapter:
            frames += chapters.pop().frames
        chapters.append(Plan(piece.chapter, frames, clip.frame_rate, ()))
    return chapters


def _write_poster(clips: Sequence[Clip], document: str | None, file: Path, workspace: str) -> None:
    from export.poster import draw_poster

    whole = Path(workspace, file.name)
    draw_poster(clips, whole, document=document)
    place_file(whole, file)


def _write_transcript(
    options: RenderOptions, film: Film, clips: Sequence[Clip], file: Path
) -> None:
    from export.transcript import transcript_page, transcript_parts

    parts = transcript_parts(clips, _titles(film))
    place_text(transcript_page(film.title, options.sentence, parts), file)


def _write_handout(
    options: RenderOptions,
    film: Film,
    clips: Sequence[Clip],
    document: str | None,
    file: Path,
    workspace: str,
) -> None:
    from export.handout import write_handout
    from export.transcript import transcript_parts

    whole = Path(workspace, file.name)
    parts = transcript_parts(clips, _titles(film))
    write_handout(film.title, options.sentence, parts, whole, document=document)
    place_file(whole, file)
