"""Every hard case has a test that holds it, and no such test may be skipped (tests/conftest.py)."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CASES = set(range(1, 36))


def cases_in(source):
    """The numbers in the case marks of a test file's text."""
    return {
        argument.value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.case"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }


def test_every_case_is_held_by_a_test():
    held = {case for file in TESTS.rglob("test_*.py") for case in cases_in(file.read_text("utf-8"))}
    assert held == CASES


@pytest.mark.parametrize(
    "how", ["@pytest.mark.skip", "@pytest.mark.skipif(True, reason='not here')", "inside"]
)
def test_a_skipped_case_fails(pytester, how):
    conftest = (TESTS / "conftest.py").read_text("utf-8")
    pytester.makeconftest(conftest)
    mark, body = ("", "pytest.skip('not now')") if how == "inside" else (how, "pass")
    pytester.makepyfile(
        f"import pytest\n\n@pytest.mark.case(7)\n{mark}\ndef test_it():\n    {body}"
    )
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-W", "ignore")
    done.assert_outcomes(**{"failed" if how == "inside" else "errors": 1})
    done.stdout.fnmatch_lines(["*case 7 must not be skipped*"])
