import json

import pytest

from desktop.settings import RECENT_FILES, Settings, SettingsFile, config_folder, state_folder


@pytest.fixture
def path(private_home):
    return config_folder() / "settings.json"


def test_what_is_changed_is_there_at_the_next_start(path):
    SettingsFile().change(theme="dark", text_size=1.5)
    assert SettingsFile().now == Settings(theme="dark", text_size=1.5)


def test_folders_are_the_users_own(private_home):
    assert config_folder() == private_home / "config" / "byhand"
    assert state_folder() == private_home / "state" / "byhand"


@pytest.mark.case(20)
@pytest.mark.parametrize(
    "damage",
    [
        b"", b"{", b"[]", b"\0\0\0", b'{"theme": "pink"}', b'{"place": "x"}', b"[" * 100_000,
        b"\xff\xfe{", b'{"recent": [1]}',
    ],
    ids=["empty", "brace", "list", "nul", "theme", "place", "deep", "utf-16", "recent"],
)  # fmt: skip
def test_damaged_settings_are_set_aside_and_said_once(path, damage):
    path.parent.mkdir(parents=True)
    path.write_bytes(damage)
    first, second = SettingsFile(), SettingsFile()
    assert (first.now, second.now) == (Settings(), Settings())
    assert "fresh ones" in first.complaint
    assert second.complaint == ""
    assert (path.parent / "settings.json.damaged").read_bytes() == damage


def test_settings_that_are_a_folder_do_not_stop_the_start(path):
    path.mkdir(parents=True)
    assert SettingsFile().now == Settings()


def test_what_another_byhand_has_changed_stays(path):
    mine, theirs = SettingsFile(), SettingsFile()
    theirs.change(theme="projector")
    mine.change(digits=4)
    assert SettingsFile().now == Settings(theme="projector", digits=4)


def test_unknown_settings_of_a_later_version_are_no_damage(path):
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"theme": "dark", "from_the_future": [1]}))
    settings = SettingsFile()
    assert (settings.now.theme, settings.complaint) == ("dark", "")


def test_where_nothing_can_be_written_it_holds_until_the_end(path):
    path.parent.parent.mkdir(parents=True)
    path.parent.write_text("a file where the folder should be")
    settings = SettingsFile()
    assert not settings.change(theme="dark")
    assert settings.now.theme == "dark"


def test_recent_files_are_few_newest_first_and_each_once(path, tmp_path):
    settings = SettingsFile()
    for number in range(RECENT_FILES + 3):
        settings.remember_file(tmp_path / f"{number}.byhand.json")
    settings.remember_file(tmp_path / "5.byhand.json")
    recent = SettingsFile().now.recent
    assert len(recent) == RECENT_FILES
    assert recent[0] == str(tmp_path / "5.byhand.json")
    assert len(set(recent)) == RECENT_FILES


def test_a_forgotten_file_is_no_longer_recent(path, tmp_path):
    settings = SettingsFile()
    settings.remember_file(tmp_path / "a")
    settings.forget_file(tmp_path / "a")
    assert settings.now.recent == ()


def test_a_file_whose_name_is_no_text_is_not_remembered(path, tmp_path):
    settings = SettingsFile()
    settings.remember_file(tmp_path / "\udcff.byhand.json")
    assert settings.now.recent == ()
