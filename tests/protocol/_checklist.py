"""The obligations of an MCP server, by number, and where each is proved.

A test says `@covers(21, 22)`. An item no test covers stands in `ELSEWHERE` with the reason; `test_manifest.py` holds
the two against each other, over all of `tests/`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Test = TypeVar("_Test", bound=Callable[..., object])


def covers(*items: int) -> Callable[[_Test], _Test]:
    """The items of the checklist that a test proves. Read from the source, not at run time."""
    assert items

    def same(test: _Test) -> _Test:
        return test

    return same


ITEMS: dict[int, str] = {
    1: "an id comes back with its type and value",
    2: "null, float ids, arrays and scalars run nothing, and the connection survives",
    3: "an unreadable line is -32700 without id, and the next one works",
    4: "notifications are never answered",
    5: "an unknown method, or one whose capability is not declared, is -32601",
    6: "unknown params and _meta keys do no harm",
    7: "stdout carries one JSON object per line, whatever a tool prints",
    8: "the end of stdin ends the process and cancels what runs",
    9: "newlines, U+2028, emoji and control characters survive",
    10: "a slow tool blocks neither ping nor tools/list",
    11: "initialize agrees on a version of the handshake era",
    12: "before initialize only ping is answered",
    13: "what is pipelined behind initialize works",
    14: "results of the handshake era hold nothing of the stateless one",
    15: "ping is answered with an empty result",
    16: "logging: declared if used, bad levels refused, lower levels filtered",
    17: "updates go to subscribed URIs only",
    18: "a missing resource is -32002 in the handshake era",
    19: "questions time out with a cancelled notification, refusals reach the tool",
    20: "no client is asked for what it did not declare",
    21: "a stateless request without version or capabilities is -32602",
    22: "a request without clientInfo is served",
    23: "an unserved version is -32022, with those that are served",
    24: "server/discover says all it must",
    25: "the versions in an error are those of server/discover",
    26: "every stateless result has a resultType and the server's name in _meta",
    27: "methods of the handshake era are -32601 to stateless requests",
    28: "nothing of one stateless request influences the next",
    29: "a capability that is needed and not declared is -32021",
    30: "the declared capabilities are those that answer",
    31: "both eras work on one pipe, in any order",
    32: "session and resumption headers are ignored in the stateless era",
    33: "no request is ever written to a stateless client",
    34: "the version header agrees with the body, or -32020",
    35: "the method and name headers agree with the body, or -32020",
    36: "base64-wrapped headers are decoded, strictly",
    37: "mirrored arguments agree with the body, or -32020",
    38: "an invalid x-mcp-header is refused at registration",
    39: "an unknown Mcp-Param header is ignored",
    40: "tools/list is valid at every version",
    41: "the input schema's root is an object",
    42: "structured results are objects before, anything since the stateless era",
    43: "schema keywords pass untouched",
    44: "lists are in the same order on every connection",
    45: "cursors are stable, a bad one is -32602, a walk loses nothing",
    46: "an unknown tool is -32602",
    47: "arguments may be left out; arrays and missing names are -32602",
    48: "arguments against the schema are an isError result",
    49: "an exception in a tool is an isError result without traceback",
    50: "a tool's own protocol error keeps its code and data",
    51: "an output schema means a conforming structured result",
    52: "a result against its schema never leaves as a success",
    53: "a structured null is preserved",
    54: "content blocks of all five types are valid",
    55: "absent optional members are left out",
    56: "tool names are well-formed and unique",
    57: "inputs are validated; access, rate and output have hooks",
    58: "no schema is fetched from the network; odd dialects are refused",
    59: "sync tools run beside the protocol",
    60: "cache hints on the six cacheable results and nowhere else",
    61: "the pages of a list share one scope",
    62: "only three methods are answered with questions",
    63: "such an answer holds a question or a state",
    64: "only declared kinds of input are asked for",
    65: "a state that was altered, expired or moved is refused, with one message",
    66: "another process with the same keys can go on",
    67: "missing answers are asked for again, extra ones ignored, malformed ones refused",
    68: "decline and cancel are handled, accepted content is validated",
    69: "several questions, several rounds, and the same tool in both eras",
    70: "forms are flat and never ask for secrets",
    71: "progress only under a given token, rising, none after the response",
    72: "no log message without a level, none on streams, bad levels refused",
    73: "a stream: acknowledgement first, honoured types only, its id on all",
    74: "two streams with different filters; ending one leaves the other",
    75: "shutting down ends streams with the empty result",
    76: "a message goes to exactly one stream of a session",
    77: "list changes are told if declared",
    78: "nothing is sent for a cancelled id; odd cancels are ignored",
    79: "a lost HTTP connection cancels in the stateless era only",
    80: "an anonymous cancel cannot touch another's request",
    81: "an accepted notification is 202 without body",
    82: "a response is JSON or an event stream",
    83: "GET and DELETE are 405 in the stateless era",
    84: "a bad Origin is rejected on every verb",
    85: "loopback by default, bad Host rejected there",
    86: "406, 415 and 413 before parsing",
    87: "JSON when nothing was emitted, a stream otherwise",
    88: "event streams are not buffered and kept alive",
    89: "an unsupported version header is 400",
    90: "session ids are visible, unguessable and can end",
    91: "a session belongs to its principal",
    92: "event ids are unique per session",
    93: "stateless HTTP of the handshake era works across processes",
    94: "resource metadata is served without a token",
    95: "bad tokens are 401 with a challenge",
    96: "missing scopes are 403 and listed",
    97: "query tokens are ignored, none is forwarded",
    98: "a missing resource is -32602 in the stateless era, never empty contents",
    99: "URIs are validated, traversal is blocked, binary is base64",
    100: "an unknown prompt or a missing argument is -32602",
    101: "at most a hundred completions; an unknown ref is -32602",
    102: "an extension nobody declared changes nothing",
    103: "ui:// resources keep their MIME type and useful content",
    104: "params.task is ignored where tasks are not declared",
}

#: items that no test of ours can prove, each with its reason
ELSEWHERE: dict[int, str] = {}
