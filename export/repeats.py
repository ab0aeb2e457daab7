"""A still's frames after its first, without encoding: H.264 pictures that skip every block.

Half of a lecture's frames are held for reading. A P picture whose blocks are all skipped shows the
picture before it once more, whatever that is, so that one such packet serves every still of a
stream: only its number must be the next one (`frame_num`, Rec. ITU-T H.264, 7.3.3 and 7.4.3), and
so must the numbers of all pictures behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import av

__all__ = ["Numbering", "skipping_packet"]

_SLICE, _IDR, _PARAMETERS = 1, 5, 7
_LONG_PARAMETERS = (100, 110, 122, 244)
"""Profiles whose parameters say more of the samples (7.3.2.1.1)."""


def skipping_packet(
    codec: str, width: int, height: int, pixels: str, options: Mapping[str, str]
) -> bytes:
    """A picture of an H.264 stream so encoded in which every block is skipped.

    It is the second of two that are grey all over, from an encoder of its own.
    """
    encoder: Any = av.CodecContext.create(codec, "w")
    encoder.width, encoder.height, encoder.pix_fmt = width, height, pixels
    encoder.options = dict(options)
    encoder.time_base = Fraction(1, 25)
    # Where a stream's file holds its parameters, its pictures don't.
    encoder.flags |= av.codec.context.Flags.global_header
    grey = av.VideoFrame(width, height, pixels)
    for plane in grey.planes:
        plane.update(bytes([128]) * plane.buffer_size)
    packets = []
    for time in range(2):
        grey.pts = time
        packets += encoder.encode(grey)
    packets += encoder.encode(None)
    return bytes(packets[1])


class Numbering:
    """Numbers an H.264 stream's pictures in the order in which they come.

    parameters: the stream's, as its encoder says them (Annex B). Each of its pictures must be one
    slice, and be one that the next refers to, as with one reference and no B pictures.
    """

    def __init__(self, parameters: bytes) -> None:
        (told,) = (unit for unit in _units(parameters) if unit[0] & 31 == _PARAMETERS)
        self._bits = _length_of_number(_Bits(_unescaped(told)))
        self._number = 0

    def __call__(self, packet: bytes) -> bytes:
        """A packet as the next of the stream."""
        return b"".join(b"\x00\x00\x00\x01" + self._numbered(unit) for unit in _units(packet))

    def _numbered(self, unit: bytes) -> bytes:
        if unit[0] & 31 == _IDR:
            self._number = 0
        if unit[0] & 31 != _SLICE:
            return unit
        self._number = (self._number + 1) % (1 << self._bits)
        slice_header = _Bits(_unescaped(unit))
        slice_header.skip(8)
        for _ in ("first block", "kind", "picture's parameters"):
            slice_header.exponential()
        return _escaped(slice_header.with_number(self._number, self._bits))


def _length_of_number(parameters: _Bits) -> int:
    """How many bits a picture's number has (7.3.2.1.1)."""
    parameters.skip(8)
    profile = parameters.number(8)
    parameters.skip(16)
    parameters.exponential()
    if profile in _LONG_PARAMETERS:
        if parameters.exponential() == 3:
            parameters.skip(1)
        parameters.exponential()
        parameters.exponential()
        parameters.skip(1)
        if parameters.number(1):
            raise ValueError("scaling matrices stand before the length of a picture's number")
    return 4 + parameters.exponential()


class _Bits:
    """Reads bits from the front of bytes (9.1 for the exponential codes)."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def skip(self, count: int) -> None:
        self._at += count

    def number(self, count: int) -> int:
        whole = int.from_bytes(self._data[:32].ljust(32, b"\x00"))
        self._at += count
        return whole >> 256 - self._at & (1 << count) - 1

    def exponential(self) -> int:
        zeros = 0
        while not self.number(1):
            zeros += 1
        return (1 << zeros) - 1 + self.number(zeros)

    def with_number(self, number: int, count: int) -> bytes:
        """The bytes with the next `count` bits saying `number`."""
        end = (self._at + count + 7) // 8
        shift = 8 * end - self._at - count
        head = int.from_bytes(self._data[:end])
        head = head & ~((1 << count) - 1 << shift) | number << shift
        return head.to_bytes(end) + self._data[end:]


def _units(stream: bytes) -> list[bytes]:
    """What lies between the start codes of Annex B."""
    return [unit for unit in re.split(b"\x00?\x00\x00\x01", stream) if unit]


def _unescaped(unit: bytes) -> bytes:
    return unit.replace(b"\x00\x00\x03", b"\x00\x00")


def _escaped(plain: bytes) -> bytes:
    """With no start code inside (7.4.1)."""
    return re.sub(rb"\x00\x00(?=[\x00-\x03]|\Z)", b"\x00\x00\x03", plain)
