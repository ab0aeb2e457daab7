"""`byhand growth` prints counts and times as a table or as JSON."""

import json

import pytest

from engine.growth import Measurement
from export import cli
from export.growth import grows_as_text, size_text, time_text


def test_the_table_has_a_row_a_size(capsys):
    assert cli.main(["growth", "--up-to", "512", "--width", "8"]) == 0
    printed = capsys.readouterr().out
    assert "65,536" in printed
    assert "262,144" in printed
    assert "time grows as n^" in printed


def test_json_has_counts_bytes_and_seconds(capsys):
    assert cli.main(["growth", "--up-to", "256", "--width", "8", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["n"], row["cells"], row["grid_bytes"]) == (256, 65536, 262144)
    assert row["grid_seconds"] > 0
    assert row["tiles_seconds"] > 0


def test_heads_layers_and_shared_keys_are_counted(capsys):
    asked = ["--heads", "8", "--kv-heads", "2", "--layers", "3"]
    assert cli.main(["growth", "--up-to", "256", "--width", "8", "--json", *asked]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["all_grid_bytes"] == 24 * row["grid_bytes"]
    assert row["cache_bytes"] == 2 * 2 * 3 * 256 * 8 * 4


def test_the_cache_and_all_grids_stand_in_the_table(capsys):
    assert cli.main(["growth", "--up-to", "256", "--width", "8", "--heads", "4"]) == 0
    printed = capsys.readouterr()
    assert "all grids" in printed.out
    assert "1 MiB" in printed.out
    assert "cache" in printed.out
    assert "…" not in printed.out
    assert printed.err == "256 tokens measured\n"


def test_heads_that_do_not_share_out_are_one_line_and_exit_2(capsys):
    assert cli.main(["growth", "--heads", "8", "--kv-heads", "3"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_limit_of_memory_leaves_the_grid_out(capsys):
    asked = ["growth", "--up-to", "512", "--width", "8", "--memory", "1", "--json", "--quiet"]
    assert cli.main(asked) == 0
    captured = capsys.readouterr()
    assert [row["grid_seconds"] is None for row in json.loads(captured.out)] == [False, True]
    assert captured.err == ""


def test_too_few_tokens_are_one_line_and_exit_2(capsys):
    assert cli.main(["growth", "--up-to", "3"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(("size", "text"), [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (64 << 30, "64 GiB"),
])  # fmt: skip
def test_bytes_are_written_in_the_largest_unit(size, text):
    assert size_text(size) == text


def test_a_time_that_was_not_measured_is_a_dash():
    assert time_text(None) == "-"
    assert time_text(0.0123) == "12.3 ms"
    assert time_text(2.5) == "2.50 s"


def test_exponents_come_from_the_largest_sizes():
    measured = [Measurement(n, 1.0, None) for n in (256, 512)]
    measured += [Measurement(n, n**3 * 1e-9, None) for n in (1024, 2048, 4096, 8192)]
    assert grows_as_text(measured) == "time grows as n^3.00 for the full grid"
    assert grows_as_text(measured[:1]) == ""
