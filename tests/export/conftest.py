"""What tests of export share: stub scenes instead of real ones, and tiny pictures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from engine.files import format_sentence
from engine.presets import load_preset
from export.jobs import Job

HERE = Path(__file__).parent
STUB_BYHAND = HERE / "stub_byhand.py"


@pytest.fixture(autouse=True)
def _stub_scenes_can_be_imported(monkeypatch, tmp_path_factory):
    # What is killed leaves its temporary folder behind: let it be a test's.
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporary")))
    paths = [str(HERE), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.fixture(scope="session")
def accessibility():
    """The checker of pages beside this file, as a module."""
    place = HERE / "accessibility.py"
    spec = spec_from_file_location("accessibility", place)
    module = module_from_spec(spec)
    # A dataclass looks its module up.
    sys.modules["accessibility"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def post():
    return load_preset()


@pytest.fixture
def stub_job(post, tmp_path):
    """Makes a job for a stub scene: 160×90 at 10, in a workspace of this test's."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    def make(name, **changes):
        given = {
            "scene": name.lower(),
            "target": f"stub_scenes:{name}",
            "document": format_sentence(post),
            "workspace": str(workspace),
            "width": 160,
            "height": 90,
            "frame_rate": 10,
        }
        return Job(**(given | changes))

    return make


@pytest.fixture
def stub_byhand(tmp_path, monkeypatch):
    """Runs `byhand` with stub scenes in an empty current folder; the completed process."""
    folder = tmp_path / "current"
    folder.mkdir()

    def run(*arguments, **options):
        options = {"cwd": folder, "capture_output": True, "text": True, "timeout": 120} | options
        return subprocess.run([sys.executable, STUB_BYHAND, *arguments], check=False, **options)

    run.folder = folder
    return run


@pytest.fixture
def start_stub_byhand(stub_byhand, tmp_path):
    """Starts the same and doesn't wait; ended with the test."""
    started = []

    def start(*arguments, **environment):
        process = subprocess.Popen(
            [sys.executable, STUB_BYHAND, *arguments],
            cwd=stub_byhand.folder,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        with process:
            process.kill()


@pytest.fixture
def document_file(tmp_path):
    """Writes a document of one word whose query begins with a number."""

    def write(number):
        head = {"name": "one", "query": [[number, 1]], "key": [[1, 0]], "value": [[1, 1]]}
        path = tmp_path / "one.byhand.json"
        path.write_text(json.dumps({"byhand": 1, "words": ["one"], "heads": [head]}))
        return path

    return write
