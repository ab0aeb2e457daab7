import os
import signal
import subprocess
import sys
import textwrap

import pytest

from desktop.recovery import Recovery
from desktop.settings import state_folder
from engine.sentence import new_sentence

DOG = new_sentence("the dog ran")


def crashed(private_home, code):
    """Runs a byhand's recovery in a process that is then killed."""
    program = textwrap.dedent(
        """
        import os, signal
        from pathlib import Path
        from desktop.recovery import Recovery
        from engine.sentence import new_sentence
        recovery = Recovery()
        """
    ) + textwrap.dedent(code)
    killed = program + "\nos.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", killed], env=os.environ, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.fixture
def left_a_dog(private_home, tmp_path):
    crashed(
        private_home,
        f"recovery.keep('window-0', new_sentence('the dog ran'), Path({str(tmp_path)!r}, 'dog'))",
    )


def test_what_a_killed_process_left_is_found(left_a_dog, tmp_path):
    (found,), damaged = Recovery().left_behind()
    assert (found.sentence, found.file, damaged) == (DOG, tmp_path / "dog", 0)
    assert found.title == "dog"


def test_it_is_offered_until_it_is_settled(left_a_dog):
    first = Recovery()
    (found,), _ = first.left_behind()
    first.close()
    second = Recovery()
    (found,), _ = second.left_behind()
    second.settle(found)
    second.close()
    assert Recovery().left_behind() == ((), 0)
    assert list((state_folder() / "recovery").iterdir()) == []


def test_two_starts_at_once_do_not_both_offer_it(left_a_dog):
    first, second = Recovery(), Recovery()
    assert len(first.left_behind()[0]) == 1
    # QLockFile tells processes apart, so a second process asks.
    program = "from desktop.recovery import Recovery; print(len(Recovery().left_behind()[0]))"
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert other.stdout.split() == [b"0"]
    second.close()
    first.close()


def test_what_a_living_process_keeps_is_its_own(private_home):
    program = (
        "from desktop.recovery import Recovery; from engine.sentence import new_sentence;"
        "r = Recovery(); r.keep('w', new_sentence('a b'), None); print('kept', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as living:
        assert living.stdout.readline() == b"kept\n"
        assert Recovery().left_behind() == ((), 0)
        living.kill()
    assert len(Recovery().left_behind()[0]) == 1


def test_a_dropped_document_is_not_left(private_home):
    crashed(private_home, "recovery.keep('w', new_sentence('a b'), None); recovery.drop('w')")
    assert Recovery().left_behind() == ((), 0)


@pytest.mark.case(20)
@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\0", b'{"document": "{}"}', b"[" * 50_000])
def test_a_damaged_recovery_file_is_set_aside_and_counted_once(left_a_dog, damage):
    (place,) = (state_folder() / "recovery").glob("*/window-0.json")
    place.with_name("window-1.json").write_bytes(damage)
    recovery = Recovery()
    found, damaged = recovery.left_behind()
    assert (len(found), damaged) == (1, 1)
    recovery.close()
    assert Recovery().left_behind()[1] == 0


def test_a_root_that_is_a_file_stops_nothing(private_home):
    state_folder().mkdir(parents=True)
    (state_folder() / "recovery").write_text("")
    recovery = Recovery()
    assert recovery.left_behind() == ((), 0)
    with pytest.raises(OSError):  # noqa: PT011
        recovery.keep("w", DOG, None)
    recovery.close()


def test_a_clean_end_leaves_nothing(private_home):
    recovery = Recovery()
    recovery.keep("w", DOG, None)
    recovery.drop("w")
    recovery.close()
    assert list((state_folder() / "recovery").iterdir()) == []
