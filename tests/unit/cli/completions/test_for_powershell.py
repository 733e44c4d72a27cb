"""The completion script for PowerShell, as far as it can be tested without one.

Neither PyPI nor npm nor Debian has a PowerShell to run. What is tested is that the script is one, by the grammar
that editors use, and that nothing of the app's texts is code in it.
"""

from collections.abc import Iterator

import pytest
import tree_sitter
import tree_sitter_powershell

from accord import App
from accord.cli.completions import completion_script
from tests.unit.cli._workshop import app

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))


def nodes(script: str) -> Iterator[tree_sitter.Node]:
    waiting = [PARSER.parse(script.encode()).root_node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def literals(script: str) -> list[str]:
    texts = [node.text.decode() for node in nodes(script) if node.type == "verbatim_string_characters" and node.text]
    return [text[1:-1].replace("''", "'") for text in texts]


def test_the_script_is_powershell() -> None:
    script = completion_script(app, "workshop.py", "powershell")
    wrong = [node for node in nodes(script) if node.is_error or node.is_missing]
    assert not wrong, [(node.start_point, node.text) for node in wrong]


def test_the_grammar_would_notice_a_quote_that_is_not_closed() -> None:
    script = completion_script(app, "workshop.py", "powershell").replace("'deploy'", "'deploy", 1)
    assert any(node.is_error or node.is_missing for node in nodes(script))


def test_commands_options_and_values_are_in_it_as_literals() -> None:
    found = literals(completion_script(app, "workshop.py", "powershell"))
    assert {"deploy", "site pages add", "--environment", "semi gloss", "o'clock", "workshop.py.exe"} <= set(found)


def test_texts_of_the_app_are_literals_and_nothing_else() -> None:
    script = completion_script(app, "$(touch pwned)", "powershell")
    hostile = [text for text in literals(script) if "touch pwned" in text]
    code = script.count("touch pwned")
    assert sum(text.count("touch pwned") for text in hostile) == code - 1, "one more stands in the comment on top"
    assert script.splitlines()[0].startswith("# ")


@pytest.mark.parametrize("quote", ["\u2018", "\u2019", "\u201a", "\u201b", "\u0451", "中", "🙂"])
def test_the_script_is_ascii_so_that_no_letter_becomes_a_quote(quote: str) -> None:
    shop = App(f"shop{quote}", description=quote)

    @shop.command(description=f"It{quote}; Remove-Item x")
    def sell() -> None: ...

    script = completion_script(shop, f"shop{quote}", "powershell")
    assert script.isascii()
    assert not any(node.is_error or node.is_missing for node in nodes(script))
    assert "Remove-Item" not in script
