"""What settings say, where they come from, which layer counts, and what is never shown."""

from __future__ import annotations

import copy
import datetime
import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord import AccordError, Settings
from accord.errors import SettingsError
from accord.settings.tree import Leaf, find, merge, names, plant
from accord.settings.variables import prefix_of
from tests.unit.settings._files import load, plain, write

# -- a mapping -----------------------------------------------------------------------------------------------------


def test_a_value_is_found_level_by_level_and_through_a_dotted_path() -> None:
    found = load('[api]\nkey = "k"\n[api.retry]\ntimes = 3')
    assert found["api"]["key"] == found["api.key"] == found.get("api.key") == "k"
    assert found["api.retry"]["times"] == found["api"]["retry.times"] == 3
    assert plain(found) == {"api": {"key": "k", "retry": {"times": 3}}}
    assert found["api"] == {"key": "k", "retry": found["api.retry"]}


@pytest.mark.parametrize("key", ["nothing", "api.nothing", "api.key.deeper", "nothing.key", "", ".", "api.", 3, None])
def test_what_is_not_set_is_a_key_error_and_gives_the_default(key: Any) -> None:
    found = load('api.key = "k"')
    assert key not in found
    assert found.get(key) is None
    assert found.get(key, "default") == "default"
    with pytest.raises(KeyError):
        found[key]
    with pytest.raises(KeyError):
        found.source(key)


def test_a_key_may_hold_a_dot_itself() -> None:
    found = load('[hosts]\n"a.example" = 1\n"b".example = 2')
    assert found["hosts.a.example"] == 1
    assert found["hosts"]["a.example"] == 1
    assert found["hosts.b.example"] == 2


def test_settings_cannot_be_changed_through_what_they_hand_out() -> None:
    found = load('hosts = ["a"]\nusers = [{name = "ann"}]')
    found["hosts"].append("b")
    found["users"][0]["name"] = "bob"
    assert found["hosts"] == ["a"]
    assert found["users"] == [{"name": "ann"}]
    with pytest.raises(TypeError):
        found["hosts"] = []  # type: ignore[index]  # that is the point
    with pytest.raises(AttributeError):
        found.hosts  # type: ignore[attr-defined]  # noqa: B018 - as above


def test_settings_can_be_made_of_plain_values_for_a_direct_call() -> None:
    made = Settings({"api": {"key": "k"}})
    assert made["api.key"] == "k"
    assert made.source("api") == "given"
    assert len(Settings()) == 0


def test_settings_are_read_when_they_are_loaded_and_stay_as_they_were() -> None:
    found = load("port = 1")
    write(Path("deploy.toml"), "port = 2")
    assert found["port"] == 1
    assert copy.deepcopy(found) == found == pickle.loads(pickle.dumps(found))


# -- which layer counts --------------------------------------------------------------------------------------------


def test_environment_over_own_file_over_pyproject_over_the_users_file(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project.parent / "home/.config/deploy/deploy.toml", 'a = "user"\nb = "user"\nc = "user"\nd = "user"')
    write(project / "pyproject.toml", '[tool.deploy]\na = "pyproject"\nb = "pyproject"\nc = "pyproject"')
    write(project / "deploy.toml", 'a = "own"\nb = "own"')
    monkeypatch.setenv("DEPLOY_A", "env")
    found = Settings.load("deploy")
    assert plain(found) == {"a": "env", "b": "own", "c": "pyproject", "d": "user"}
    assert [found.source(key) for key in "abcd"] == [
        "env DEPLOY_A",
        "deploy.toml",
        "pyproject.toml [tool.deploy]",
        "~/.config/deploy/deploy.toml" if os.name != "nt" else found.source("d"),
    ]


def test_tables_are_merged_key_by_key_and_name_all_their_sources(project: Path) -> None:
    write(project / "pyproject.toml", '[tool.deploy.api]\nkey = "low"\nurl = "u"\nretry = {times = 1, wait = 2}')
    found = load("[api]\nretry = {times = 9}", API__KEY="high")
    assert plain(found) == {"api": {"key": "high", "url": "u", "retry": {"times": 9, "wait": 2}}}
    assert found.source("api.retry") == "deploy.toml, pyproject.toml [tool.deploy]"
    assert found.source("api.key") == "env DEPLOY_API__KEY"


def test_a_table_and_a_plain_value_are_not_merged_the_upper_one_counts(project: Path) -> None:
    write(project / "pyproject.toml", "[tool.deploy]\napi = 1\nlog.level = 2")
    found = load("api.key = 3\nlog = 4")
    assert plain(found) == {"api": {"key": 3}, "log": 4}


KEYS = st.sampled_from("abc")
TABLES = st.recursive(
    st.dictionaries(KEYS, st.integers(0, 9), max_size=3),
    lambda inner: st.dictionaries(KEYS, st.one_of(st.integers(0, 9), inner), max_size=3),
    max_leaves=8,
)


def said_by(layers: list[Any], path: tuple[str, ...]) -> tuple[str, Any] | None:
    """The rule in other words: the first layer that has something to say about the path decides."""
    for number, layer in enumerate(layers):
        node: Any = layer
        for key in path:
            if not isinstance(node, dict):
                return None  # a plain value above the path hides what is below
            if key not in node:
                break
            node = node[key]
        else:
            return None if isinstance(node, dict) else (str(number), node)
    return None


@given(st.lists(TABLES, min_size=1, max_size=4))
def test_the_first_layer_that_says_something_about_a_key_decides_it(layers: list[Any]) -> None:
    table: Any = {}
    for number, layer in reversed(list(enumerate(layers))):
        table = merge(table, plant(layer, str(number)))
    every = {tuple(name.split(".")) for layer in layers for name in names(plant(layer, ""))}
    for path in every:
        found = find(table, ".".join(path))
        leaf = found[1] if found and isinstance(found[1], Leaf) else None
        assert (None if leaf is None else (leaf.source, leaf.value)) == said_by(layers, path)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(st.sampled_from(["a", "b.c", "b.d", "e.f.g"]), st.sets(st.integers(0, 3), min_size=1)))
def test_the_layers_of_a_real_project_count_in_their_order(project: Path, layers_of: dict[str, set[int]]) -> None:
    """``layers_of`` says which of the four layers set a key; each sets it to its own number."""
    lines = [[f"{key} = {layer}" for key, layers in layers_of.items() if layer in layers] for layer in range(4)]
    write(project / "deploy.toml", "\n".join(lines[1]))
    write(project / "pyproject.toml", "\n".join(["[tool.deploy]", *lines[2]]))
    write(project.parent / "home/.config/deploy/deploy.toml", "\n".join(lines[3]))
    with pytest.MonkeyPatch.context() as patch:
        for key, layers in layers_of.items():
            if 0 in layers:
                patch.setenv("DEPLOY_" + key.upper().replace(".", "__"), "0")
        found = Settings.load("deploy")
    assert {key: found.get(key, 0) for key in layers_of} == {key: min(layers) for key, layers in layers_of.items()}


# -- where files are looked for ------------------------------------------------------------------------------------


def test_files_are_looked_for_from_the_current_directory_up_to_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project.parent / "deploy.toml", 'outside = "x"')
    write(project / "pyproject.toml", "[tool.deploy]\nlow = 1")
    write(project / "deploy.toml", "top = 1")
    (project / "a/b").mkdir(parents=True)
    monkeypatch.chdir(project / "a/b")
    found = Settings.load("deploy")
    assert plain(found) == {"low": 1, "top": 1}
    assert [found.source("top"), found.source("low")] == ["../../deploy.toml", "../../pyproject.toml [tool.deploy]"]


def test_the_nearest_own_file_is_the_only_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project / "deploy.toml", "far = 1")
    write(project / "a/deploy.toml", "near = 1")
    monkeypatch.chdir(project / "a")
    assert plain(Settings.load("deploy")) == {"near": 1}


def test_a_nearer_project_hides_the_one_around_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project / "pyproject.toml", "[tool.deploy]\nouter = 1")
    write(project / "inner/pyproject.toml", "[tool.deploy]\ninner = 1")
    monkeypatch.chdir(project / "inner")
    assert plain(Settings.load("deploy")) == {"inner": 1}


def test_outside_of_a_project_only_the_current_directory_counts(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if any((above / name).exists() for above in tmp_path.parents for name in ("pyproject.toml", ".git")):
        pytest.skip("the directory for temporary files lies inside a project")
    write(tmp_path / "deploy.toml", "above = 1")
    write(tmp_path / "plain/deploy.toml", "here = 1")
    monkeypatch.chdir(tmp_path / "plain")
    assert plain(Settings.load("deploy")) == {"here": 1}
    (tmp_path / "plain/deploy.toml").unlink()
    assert plain(Settings.load("deploy")) == {}


@pytest.mark.parametrize(
    ("app", "own", "variable"),
    [
        ("my-app", "my-app.toml", "MY_APP_KEY"),
        ("My App", "My-App.toml", "MY_APP_KEY"),
        ("my.app", "my.app.toml", "MY_APP_KEY"),
        ("../up", "up.toml", "___UP_KEY"),
        ("größe", "größe.toml", "GR_SSE_KEY"),
        ("pyproject", "pyproject.toml", "PYPROJECT_KEY"),
        ("!", "app.toml", "__KEY"),
    ],
)
def test_any_name_of_an_app_makes_a_file_name_and_a_prefix(
    app: str, own: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Path(own), "key = 'file'")
    assert Settings.load(app)["key"] == "file"
    monkeypatch.setenv(variable, "env")
    assert Settings.load(app)["key"] == "env"
    assert variable == prefix_of(app) + "KEY"


# -- what the environment says -------------------------------------------------------------------------------------

NOON = datetime.datetime(2026, 5, 1, 12, 0)
READ_AS = [
    ("x = 'file'", "1.10", "1.10"),
    ("x = 'file'", "true", "true"),
    ("x = 'file'", " kept ", " kept "),
    ("x = 'file'", "", ""),
    ("x = 1", "42", 42),
    ("x = 1", "-7", -7),
    ("x = 5", "0.5", 0.5),
    ("x = 0.5", "2", 2.0),
    *[("x = false", text, True) for text in ("true", "True", "yes", "on", "1", " ON ")],
    *[("x = true", text, False) for text in ("false", "FALSE", "no", "off", "0")],
    ("x = ['a']", '["b", 2]', ["b", 2]),
    ("x = [1]", "[]", []),
    ("x = {a = 1}", '{"b": 2}', {"a": 1, "b": 2}),
    ("x = {a = 1}", '{"a": {"c": 2}}', {"a": {"c": 2}}),
    ("x = 2020-01-01T00:00:00", "2026-05-01T12:00:00", NOON),
    ("x = 2020-01-01", "2026-05-01", NOON.date()),
    ("x = 00:00:00", "12:00", NOON.time()),
]


@pytest.mark.parametrize(("toml", "text", "value"), READ_AS)
def test_a_variable_has_the_type_of_what_it_stands_in_for(toml: str, text: str, value: Any) -> None:
    found = plain(load(toml, X=text)["x"])
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize("text", ["1", "1.10", "true", "[1]", "null", "", "0123"])
def test_a_variable_that_stands_in_for_nothing_stays_text(text: str) -> None:
    assert load(X=text)["x"] == text
    assert load(X=text).get("x") == text


@pytest.mark.parametrize(
    ("text", "default", "value"),
    [("80", 1, 80), ("off", True, False), ("[1]", [], [1]), ('{"a": 1}', {}, {"a": 1}), ("1.10", "", "1.10")],
)
def test_where_no_file_says_the_type_the_default_does(text: str, default: Any, value: Any) -> None:
    assert load(X=text).get("x", default) == value


def test_a_default_says_nothing_about_what_a_file_says() -> None:
    assert load("x = '80'").get("x", 1) == "80"
    assert load("x = 'a'", X="80").get("x", 1) == "80"


@pytest.mark.parametrize(
    "toml", ["x = 1", "x = 0.5", "x = true", "x = []", "x.a = 1", "x = 2020-01-01", "x = 12:00:00"]
)
def test_a_variable_that_cannot_be_read_is_an_error_that_does_not_quote_it(toml: str) -> None:
    with pytest.raises(SettingsError, match=r"^env DEPLOY_X: it has to be .+ Correct it, or unset it\.$") as caught:
        load(toml, X="hunter2")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__context__ is None, "the original error quotes the text"


def test_a_variable_that_does_not_fit_the_default_is_an_error_that_names_it() -> None:
    with pytest.raises(SettingsError, match=r"^env DEPLOY_API__PORT: it has to be a number"):
        load(API__PORT="hunter2").get("api.port", 80)


def test_a_variable_inside_a_plain_value_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"^env DEPLOY_API__KEY: .* no table in deploy\.toml\. Unset it"):
        load("api = 'x'", API__KEY="y")
    with pytest.raises(SettingsError, match="no table in env DEPLOY_API"):
        load(API="x", API__KEY="y")


def test_two_underscores_go_down_a_level_and_one_belongs_to_the_name() -> None:
    found = load(LOG_LEVEL="a", API__BASE_URL="b", A__B__C="c")
    assert plain(found) == {"log_level": "a", "api": {"base_url": "b"}, "a": {"b": {"c": "c"}}}


def test_a_variable_means_the_key_as_the_files_spell_it() -> None:
    found = load("log-level = 'a'\n[myApi]\nbaseUrl = 'b'", LOG_LEVEL="1", MYAPI__BASEURL="2")
    assert plain(found) == {"log-level": "1", "myApi": {"baseUrl": "2"}}


def test_a_table_given_whole_comes_before_its_keys_given_alone() -> None:
    assert plain(load("x.a = 1", X='{"a": 2, "b": 3}', X__A="4")) == {"x": {"a": 4, "b": 3}}


def test_a_variable_of_too_many_levels_is_an_error() -> None:
    with pytest.raises(SettingsError, match=r"^env DEPLOY_A__A.+\.\.\.: it names more than 100 levels"):
        load(**{"__".join("A" * 3000): "x"})


@pytest.mark.parametrize("name", ["", "__", "A__", "__A", "A____B", "lower"])
def test_variables_that_name_no_key_are_left_alone(name: str) -> None:
    if os.name == "nt" and name == "lower":
        pytest.skip("Windows knows no lower case here")
    assert plain(load(**{name: "x"})) == {}


# -- what cannot be read -------------------------------------------------------------------------------------------

BROKEN = [
    ("deploy.toml", b"a = 1\nb = = 2", r"^deploy\.toml, line 2, column 5: this is not TOML: .+\. Correct the file"),
    ("deploy.toml", b'a = "open', r"^deploy\.toml, (line 1, column 10|at the end): this is not TOML"),
    ("deploy.toml", b"a = 1\na = 2", r"^deploy\.toml, (line 2|at the end)"),
    ("deploy.toml", b"a = '\xff'", r"^deploy\.toml: the file is not UTF-8 \(byte 5\)"),
    ("deploy.toml", b"a = " + b"[" * 100_000, r"^deploy\.toml(: the file is nested too deeply|.*: this is not TOML)"),
    ("deploy.toml", b"a." * 3000 + b"a = 1", r"^deploy\.toml: tables are nested more than 100 levels deep"),
    ("pyproject.toml", b"[tool.deploy", r"^pyproject\.toml, (line 1|at the end)"),
    ("pyproject.toml", b"tool.deploy = 3", r"^pyproject\.toml: \[tool\.deploy\] is no table\. Write it as one"),
    ("pyproject.toml", b"tool = 3", r"^pyproject\.toml: \[tool\] is no table"),
    ("pyproject.toml", b"[[tool.deploy]]", r"^pyproject\.toml: \[tool\.deploy\] is no table"),
]


@pytest.mark.parametrize(("name", "content", "message"), BROKEN)
def test_a_broken_file_is_an_error_that_says_where_and_what_to_do(name: str, content: bytes, message: str) -> None:
    Path(name).write_bytes(content)
    with pytest.raises(SettingsError, match=message) as caught:
        Settings.load("deploy")
    assert isinstance(caught.value, AccordError)
    assert str(Path.cwd()) not in str(caught.value)


def test_an_unreadable_file_is_an_error_that_names_it() -> None:
    if not Path("/proc/self/mem").exists():
        pytest.skip("needs a file that even root cannot read from its beginning")
    Path("deploy.toml").symlink_to("/proc/self/mem")
    with pytest.raises(SettingsError, match=r"^deploy\.toml: the file cannot be read \(.+\)\. Make it readable"):
        Settings.load("deploy")


def test_a_directory_named_like_the_file_is_no_file() -> None:
    Path("deploy.toml").mkdir()
    assert plain(Settings.load("deploy")) == {}


def test_a_byte_order_mark_is_no_part_of_the_file() -> None:
    Path("deploy.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\n")
    assert Settings.load("deploy")["a"] == 1


# -- secrets -------------------------------------------------------------------------------------------------------


def test_printing_shows_names_and_never_a_value() -> None:
    found = load("port = 98765\nempty = {}\n[api]\nkey = 'hunter2'\nhosts = ['hunter3']", TOKEN="hunter4")
    assert repr(found) == str(found) == f"{found}" == "<Settings: port, empty, api.key, api.hosts, token>"
    assert repr(found["api"]) == "<Settings: key, hosts>"
    assert repr(Settings()) == "<Settings: none>"
    for shown in (repr({"inside": found}), repr(found._table), json.dumps(found, default=repr)):
        assert "hunter" not in shown
        assert "98765" not in shown
