"""One server's entry in a client's file: put in, brought up to date, taken out, and somebody else's left alone."""

import json
import tomllib

import pytest

from accord.cli.clients.catalog import CLIENTS, Entry, entry_for, is_ours
from accord.cli.clients.entries import Unusable, pasted, put_in, taken_out

JSON_CLIENTS = [name for name, client in CLIENTS.items() if not client.toml]
CODEX = CLIENTS["codex"]
CURSOR = CLIENTS["cursor"]

START = {"command": "/venv/bin/python", "args": ["-P", "-m", "accord", "serve", "/srv/app.py:app"]}
TYPED = {"type": "stdio", **START}

# the whole file a client gets where there was none
FILES: dict[str, object] = {
    "claude-code": {"mcpServers": {"x": {**TYPED, "env": {"A": "b"}}}},
    "claude-desktop": {"mcpServers": {"x": {**START, "env": {"A": "b"}}}},
    "cursor": {"mcpServers": {"x": {**TYPED, "env": {"A": "b"}}}},
    "vscode": {"servers": {"x": {**TYPED, "env": {"A": "b"}}}},
    "codex": {"mcp_servers": {"x": {**START, "env": {"A": "b"}}}},
    "gemini": {"mcpServers": {"x": {**START, "env": {"A": "b"}}}},
}


def entry(client: str, target: str = "/srv/app.py:app", **environment: str) -> Entry:
    return entry_for(CLIENTS[client], "/venv/bin/python", target, environment)


def read(client: str, text: str) -> object:
    return tomllib.loads(text) if CLIENTS[client].toml else json.loads(text)


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_gets_its_own_form(client: str) -> None:
    change = put_in(CLIENTS[client], "", "x", entry(client, A="b"))
    assert change.action == "added"
    assert read(client, change.text) == FILES[client]
    assert read(client, pasted(CLIENTS[client], "x", entry(client, A="b"))) == FILES[client]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("blank", ["", "\n", " \r\n"])
def test_an_empty_file_is_an_empty_list(client: str, blank: str) -> None:
    assert put_in(CLIENTS[client], blank, "x", entry(client)).action == "added"


@pytest.mark.parametrize("client", CLIENTS)
def test_the_same_again_changes_nothing(client: str) -> None:
    text = put_in(CLIENTS[client], "", "x", entry(client, A="b")).text
    for again in (entry(client, A="b"), entry(client)):
        change = put_in(CLIENTS[client], text, "x", again)
        assert (change.action, change.text) == ("unchanged", text)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_app_that_has_moved_is_brought_up_to_date(client: str) -> None:
    text = put_in(CLIENTS[client], "", "x", entry(client, A="b", C="d")).text
    change = put_in(CLIENTS[client], text, "x", entry(client, "/new/app.py:app", C="e", F="g"))
    assert change.action == "updated"
    expected = put_in(CLIENTS[client], "", "x", entry(client, "/new/app.py:app", A="b", C="e", F="g")).text
    assert read(client, change.text) == read(client, expected)


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_put_in_is_taken_out(client: str) -> None:
    row = CLIENTS[client]
    first = put_in(row, "", "y", entry(client, "/y.py:app", Y="y")).text
    both = put_in(row, first, "x", entry(client, A="b")).text
    change = taken_out(row, both, "x")
    assert (change.action, change.text) == ("removed", first)
    assert taken_out(row, change.text, "x").action == "absent"


OURS = json.dumps({"command": "old", "args": ["-m", "accord", "serve", "old.py"], "timeout": 9, "env": {"KEY": "k"}})


@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_what_the_user_has_added_to_an_entry_stays(client: str) -> None:
    key = CLIENTS[client].key
    change = put_in(CLIENTS[client], f'{{"{key}": {{"x": {OURS}}}}}', "x", entry(client))
    assert json.loads(change.text)[key]["x"] == {**entry(client), "timeout": 9, "env": {"KEY": "k"}}


def test_what_the_user_has_added_to_an_entry_of_codex_stays() -> None:
    text = (
        "# mine\nmodel = 'm'\n\n[mcp_servers.x] # the fleet\ncommand = 'old'\n"
        "args = [\n  '-m', 'accord', 'serve', # old\n  'old.py']\nstartup_timeout_sec = 30 # slow\n"
        "env = { KEY = 'k' }\n\n[mcp_servers.y]\nurl = 'u'\n"
    )
    assert put_in(CODEX, text, "x", entry("codex", A="b", C="d")).text == (
        "# mine\nmodel = 'm'\n\n[mcp_servers.x] # the fleet\n"
        'command = "/venv/bin/python"\nargs = ["-P", "-m", "accord", "serve", "/srv/app.py:app"]\n'
        "startup_timeout_sec = 30 # slow\n"
        'env = { KEY = "k", A = "b", C = "d" }\n\n'
        "[mcp_servers.y]\nurl = 'u'\n"
    )


def test_comments_and_numbers_of_others_stay() -> None:
    text = '{\n  // mine\n  "mcpServers": {\n    "y": {"url": "u"}, // one\n  },\n  "big": 1.0e400\n}\n'
    change = put_in(CURSOR, text, "x", entry("cursor"))
    for line in text.splitlines():
        assert line in change.text


# (client, a file that has a server x which is not ours)
FOREIGN = [
    ("cursor", '{"mcpServers": {"x": {"url": "https://example.com"}}}'),
    ("cursor", '{"mcpServers": {"x": {"command": "npx", "args": ["-y", "accord", "serve"]}}}'),
    ("vscode", '{"servers": {"x": "?"}}'),
    ("codex", "[mcp_servers.x]\nurl = 'https://example.com'\n"),
]


@pytest.mark.parametrize(("client", "text"), FOREIGN)
def test_the_server_of_somebody_else_is_left_alone(client: str, text: str) -> None:
    with pytest.raises(Unusable, match="not one of ours: choose another --name"):
        put_in(CLIENTS[client], text, "x", entry(client))
    with pytest.raises(Unusable, match="not one of ours"):
        taken_out(CLIENTS[client], text, "x")


@pytest.mark.parametrize(("client", "text"), FOREIGN)
def test_the_server_of_somebody_else_is_replaced_whole_where_that_is_wanted(client: str, text: str) -> None:
    change = put_in(CLIENTS[client], text, "x", entry(client, A="b"), replace=True)
    assert change.action == "replaced"
    assert read(client, change.text) == FILES[client]
    assert taken_out(CLIENTS[client], text, "x", replace=True).action == "removed"


# (client, a file that cannot be edited, what is said)
UNUSABLE = [
    ("claude-desktop", '{"mcpServers": {},}', "line 1, column 18: there is a comma too many"),
    ("claude-code", "{ // no", "line 1, column 3: there is a comment"),
    ("cursor", "[]", "line 1: what this file holds is no object"),
    ("cursor", '{"mcpServers": []}', "'mcpServers' is no object"),
    ("vscode", '{\n  "servers": {},\n  "servers": {}\n}', "line 3, column 3: 'servers' is here twice"),
    ("codex", "a = = 1", "this is not TOML: Invalid value (at line 1, column 5)"),
    ("codex", "mcp_servers = 1", "'mcp_servers' is no table"),
    ("codex", "mcp_servers = {}", "is written in a way that this cannot edit"),
    (
        "codex",
        "[mcp_servers]\nx = { command = 'a', args = ['-m', 'accord', 'serve', 'b'] }",
        "is written in a way that this cannot edit",
    ),
]


@pytest.mark.parametrize(("client", "text", "said"), UNUSABLE)
def test_a_file_that_cannot_be_edited_is_refused(client: str, text: str, said: str) -> None:
    with pytest.raises(Unusable) as caught:
        put_in(CLIENTS[client], text, "x", entry(client))
    assert said in str(caught.value)


def test_variables_that_are_no_object_give_way() -> None:
    text = '{"mcpServers": {"x": {"args": ["-m", "accord", "serve", "a"], "env": null}}}'
    change = put_in(CURSOR, text, "x", entry("cursor", A="b"))
    assert json.loads(change.text) == FILES["cursor"]


@pytest.mark.parametrize("thing", [None, "text", {}, {"args": "-m accord serve"}, {"args": ["accord", "serve"]}])
def test_nothing_else_is_taken_for_ours(thing: object) -> None:
    assert not is_ours(thing)
