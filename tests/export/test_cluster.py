"""Scenes drawn by a real scheduler and two real workers, started by Dask's own commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from export import cluster
from export.jobs import SceneError
from export.options import RenderOptions, choose_films
from export.pool import PoolError
from export.render import need_cluster_extra

# Both come with the extra `cluster`.
pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

HERE = Path(__file__).parent
DASK = [sys.executable, "-m", "dask"]
WORKER = [*DASK, "worker", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]


def wait_for(condition, seconds=90):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
    return found


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler with two workers of one thread each; gone with the module."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    paths = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": paths, "STUB_PIDS": str(folder / "pids")}
    scheduler = [*DASK, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    commands = [[*scheduler, "--scheduler-file", str(file)]]
    commands += [[*WORKER, "--scheduler-file", str(file), "--local-directory", str(folder)]] * 2
    started = []
    with (folder / "log").open("wb") as log:
        for command in commands:
            started.append(
                subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
            )
        try:
            wait_for(file.exists)
            address = wait_for(lambda: json.loads(file.read_text() or "{}").get("address"))
            yield address
        finally:
            processes = [psutil.Process(one.pid) for one in started if one.poll() is None]
            family = [child for one in processes for child in one.children(recursive=True)]
            for process in (*processes, *family):
                process.kill()
            for one in started:
                one.wait(10)
            psutil.wait_procs(family, timeout=10)


def drawing(kind="export.worker"):
    """The processes of a kind on this machine that descend from Dask's workers."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if kind in (process.info["cmdline"] or ()):
            found.append(process)
    return found


def drawers_of(scheduler):
    """Those that draw for the scheduler's workers, with the worker that each belongs to."""
    pairs = []
    for process in drawing():
        try:
            parents = process.parents()
            if any(scheduler_file(scheduler) in " ".join(one.cmdline()) for one in parents):
                pairs.append((process, parents[0]))
        except psutil.NoSuchProcess:
            continue
    return pairs


def scheduler_file(scheduler):
    """What only this module's workers have on their command line."""
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or []
        if "scheduler" in line and "--scheduler-file" in line:
            file = line[line.index("--scheduler-file") + 1]
            if Path(file).exists() and json.loads(Path(file).read_text())["address"] == scheduler:
                return file
    raise AssertionError("the scheduler is gone")


def draft(*arguments):
    return ("render", *arguments, "--quality", "draft")


def films_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_a_film_from_a_cluster_is_the_film_from_here(stub_byhand, scheduler):
    there = stub_byhand(*draft("slide", "bar", "-o", "there", "--json", "--cluster", scheduler))
    here = stub_byhand(*draft("slide", "bar", "-o", "here"))
    assert (there.returncode, here.returncode, there.stderr) == (0, 0, "")
    assert films_in(stub_byhand.folder / "there") == films_in(stub_byhand.folder / "here")
    events = [json.loads(line) for line in there.stdout.splitlines()]
    assert {"event": "rendered", "scene": "bar", "seconds": 1.0} in events
    assert {"event": "progress", "scene": "bar", "frame": 15, "frames": 15} in events


@pytest.mark.slow
def test_a_worker_lost_in_mid_clip_loses_nothing(stub_byhand, start_stub_byhand, scheduler):
    stub_byhand(*draft("lingering", "-o", "clean"))
    process = start_stub_byhand(
        *draft("lingering", "-o", "again", "--json", "--cluster", scheduler)
    )
    lines = iter(process.stdout)
    wait_for(lambda: '"progress"' in next(lines))
    ((drawer, worker),) = drawers_of(scheduler)
    worker.kill()
    rest = [json.loads(line) for line in lines]
    assert (process.wait(60), process.stderr.read()) == (0, "")
    assert {"event": "started", "scene": "lingering"} in rest
    assert not drawer.is_running()
    assert films_in(stub_byhand.folder / "again") == films_in(stub_byhand.folder / "clean")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_is_called_off_here_ends_there(
    stub_byhand, start_stub_byhand, scheduler, tmp_path, number
):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = start_stub_byhand(*draft("endless", "--cluster", scheduler), TMPDIR=str(temporary))
    drawers = wait_for(lambda: drawers_of(scheduler))
    process.send_signal(number)
    code = process.wait(20)
    wait_for(lambda: not any(one.is_running() for one, _ in drawers), seconds=20)
    assert not os.listdir(stub_byhand.folder)
    if number == signal.SIGINT:
        assert (code, process.stderr.read()) == (130, "")
        assert not os.listdir(temporary)


@pytest.mark.slow
def test_a_window_that_closes_ends_what_it_had_drawn_on_a_cluster(scheduler, tmp_path):
    command = [sys.executable, HERE / "attended_stub_byhand.py", "--attended"]
    with subprocess.Popen(
        [*command, *draft("endless", "--json", "--cluster", scheduler)],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    ) as process:
        drawers = wait_for(lambda: drawers_of(scheduler))
        process.stdin.close()
        assert process.wait(20) == 130
        wait_for(lambda: not any(one.is_running() for one, _ in drawers), seconds=20)


@pytest.mark.slow
def test_a_scene_that_fails_there_is_told_as_if_it_failed_here(stub_byhand, scheduler):
    done = stub_byhand(*draft("broken", "bar", "--captions", "burn", "--cluster", scheduler))
    assert done.returncode == 1
    assert done.stderr == "byhand: can't render broken: RuntimeError: the plane is bent\n"
    assert os.listdir(stub_byhand.folder) == ["bar.mp4"]


@pytest.mark.slow
def test_a_worker_with_other_versions_gets_no_work(stub_byhand, scheduler):
    """Its versions are the same in truth, so it is we who say otherwise."""
    code = (
        "import sys, export.cluster as c; from export.cli import main; ours = c.portable\n"
        "class Other(dict): pass\n"
        "there = c._compare\n"
        "c._compare = lambda client, address, mine: there(client, address, "
        "mine | {'manim': '0.0.1'})\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, *draft("softmax", "--cluster", scheduler)]
    done = subprocess.run(
        command, cwd=stub_byhand.folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("byhand: worker tcp://127.0.0.1:")
    assert "(here 0.0.1)" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not os.listdir(stub_byhand.folder)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["127.0.0.1:1", "tcp://nowhere.invalid:8786"])
def test_an_address_where_nobody_answers_is_told_in_one_line(stub_byhand, address):
    done = stub_byhand(*draft("bar", "--cluster", address))
    assert done.returncode == 1
    assert done.stderr.startswith(f"byhand: no scheduler answers at {address}")
    assert len(done.stderr.splitlines()) == 1


# Without a cluster


@pytest.mark.parametrize("address", ["", "tcp://", "host", "a b:1", "host:port"])
def test_what_is_no_address_is_asked_wrongly(post, address):
    with pytest.raises(ValueError, match=r"is no address: try tcp://HOST:8786"):
        RenderOptions(sentence=post, films=choose_films(["softmax"]), cluster=address)


def test_jobs_are_not_a_clusters(post):
    with pytest.raises(ValueError, match="--jobs is of this machine"):
        RenderOptions(sentence=post, films=choose_films(["softmax"]), cluster="a:1", jobs=2)


class Client:
    """What there is of a client to ask for workers and their versions."""

    def __init__(self, versions):
        self.versions = versions

    def run(self, function, on_error):
        return self.versions

    def nthreads(self):
        return self.versions


def refused(versions, ours, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECTING", 0.0)
    with pytest.raises(PoolError) as refusal:
        cluster._compare(Client(versions), "host:1", ours)
    return str(refusal.value)


def test_a_scheduler_without_workers_is_told_so(monkeypatch):
    assert refused({}, {}, monkeypatch) == "no workers at host:1: try dask worker host:1"


def test_the_worker_that_differs_is_named_with_what_differs(monkeypatch):
    ours = {"Python": "3.12.1", "manim": "0.22.0"}
    versions = {"tcp://a": ours, "tcp://b": {"Python": "3.12.1", "manim": "0.21.0"}}
    said = refused(versions, ours, monkeypatch)
    assert said == "worker tcp://b has manim 0.21.0 (here 0.22.0): install the same on both"


def test_a_worker_without_byhand_is_told_to_get_it(monkeypatch):
    versions = {"tcp://a": ModuleNotFoundError("No module named 'export'")}
    assert "worker tcp://a can't say what it has (No module" in refused(versions, {}, monkeypatch)


def test_workers_like_us_are_taken():
    cluster._compare(Client({"tcp://a": {"manim": "1"}}), "host:1", {"manim": "1"})


def test_where_no_worker_is_left_all_is_called_off(monkeypatch):
    monkeypatch.setattr(cluster, "DESERTED", 0.0)
    over = threading.Event()

    class Executor:
        def shutdown(self, wait):
            over.set()

    with cluster._watched_for_workers(Client({}), Executor()) as deserted:
        assert over.wait(10)
        assert deserted.is_set()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SceneError("bar", "it is bent"), "it is bent"),
        (CancelledError(), "the cluster has let go of it"),
        (cluster._UnlikeError("tcp://b", {"av": "1"}), "worker tcp://b has av 1 (here 2): install"),
        (OSError(28, "No space left on device"), "OSError: [Errno 28] No space left on device"),
    ],
)
def test_whatever_goes_wrong_there_is_the_scenes_failure(stub_job, error, said):
    failure = cluster._as_failure(stub_job("Bar"), error, {"av": "2"}, deserted=False)
    assert failure.scene == "bar"
    assert failure.message.startswith(said)


def test_without_distributed_it_is_said_what_to_install(post, monkeypatch):
    options = RenderOptions(sentence=post, films=choose_films(["softmax"]), cluster="host:1")
    monkeypatch.setattr("export.render.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"pip install 'byhand\[cluster\]'"):
        need_cluster_extra(options)
