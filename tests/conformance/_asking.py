"""Tools that ask: what each of them asks for, and the keys of its questions, is what the suite looks at."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

from accord import App, Context
from accord.content import Message
from accord.errors import ConfirmationRequired

app = App("fixture-asking")


@dataclass
class Account:
    username: str
    email: str


@dataclass
class Member:
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def titled(word: str) -> list[dict[str, str]]:
    return [{"const": f"{word}{number}", "title": f"Choice {number}"} for number in (1, 2, 3)]


#: every way there is to write a choice
CHOICES = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": titled("value")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Choice 1", "Choice 2", "Choice 3"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("value")}},
    },
}


def said(answer: dict[str, Any]) -> str:
    """The text of what a model said."""
    content = answer["content"]
    return str(content.get("text", content)) if isinstance(content, dict) else str(content)


# -- with a request to the client, where there are such; with a result that is a question, elsewhere -----------------


@app.command
def test_sampling(prompt: str, ctx: Context) -> str:
    """Have the client's model answer."""
    return f"The model said: {said(ctx.sample(prompt, maxTokens=100))}"


@app.command
def test_elicitation(message: str, ctx: Context) -> str:
    """Have the client's user fill in a form."""
    account = ctx.ask(message, Account)
    return f"{account.username} is at {account.email}"


@app.command
def test_elicitation_sep1034_defaults(ctx: Context) -> Member:
    """Ask with a form that has a default for everything."""
    return ctx.ask("Who are you?", Member)


@app.command
def test_elicitation_sep1330_enums(ctx: Context) -> dict[str, Any]:
    """Ask for choices of every kind."""
    return ctx.ask("Choose", CHOICES)


@app.command
def test_streaming_elicitation(ctx: Context) -> str:
    """Say something, and then ask: the question may not stand on the stream that is open by then."""
    ctx.progress("about to ask", 1, 2)
    ctx.warning("about to ask")
    return f"Hello, {ctx.ask('What is your name?', name=str)['name']}!"


# -- with a result that is a question --------------------------------------------------------------------------------


@app.command
def test_input_required_result_elicitation(ctx: Context) -> str:
    """Ask for a name."""
    return f"Hello, {ctx.ask('What is your name?', key='user_name', name=str)['name']}!"


@app.command
def test_input_required_result_sampling(ctx: Context) -> str:
    """Ask the model for a capital."""
    question = "What is the capital of France?"
    return said(ctx.sample(question, key="capital_question", maxTokens=100))


@app.command
def test_input_required_result_list_roots(ctx: Context) -> list[str]:
    """Ask which folders there are."""
    return ctx.roots(key="client_roots")


@app.command
def test_input_required_result_request_state(ctx: Context) -> str:
    """Ask for a yes, and know in the second round what the first one was."""
    when = ctx.once("when", lambda: "in the first round")
    return f"ok {when}: {ctx.ask('Is it ok?', key='confirm', ok=bool)['ok']}"


@app.command
async def test_input_required_result_multiple_inputs(ctx: Context) -> str:
    """Ask three things at the same time."""
    name, greeting, roots = await asyncio.gather(
        ctx.aask("What is your name?", key="user_name", name=str),
        ctx.asample("Greet somebody", key="greeting", maxTokens=50),
        ctx.aroots(key="client_roots"),
    )
    return f"{name['name']}, {said(greeting)}, {len(roots)} folders"


@app.command
def test_input_required_result_multi_round(ctx: Context) -> str:
    """Ask one thing after the other."""
    name = ctx.ask("Step 1: what is your name?", key="step1", name=str)["name"]
    color = ctx.ask(f"Step 2: {name}, which color do you like?", key="step2", color=str)["color"]
    return f"{name} likes {color}"


@app.command
def test_input_required_result_tampered_state(ctx: Context) -> str:
    """Ask, and go on with nothing but what was asked."""
    return f"ok: {ctx.ask('Is it ok?', key='confirm', ok=bool)['ok']}"


@app.command
def test_input_required_result_capabilities(ctx: Context) -> str:
    """Ask the user, or the model where there is no user to ask."""
    try:
        return str(ctx.ask("What is your name?", key="user_name", name=str)["name"])
    except ConfirmationRequired:
        return said(ctx.sample("What is a good name?", key="name_by_model", maxTokens=50))


@app.prompt
def test_input_required_result_prompt(ctx: Context) -> Message:
    """Begin with what the user says it is about."""
    about = ctx.ask("What is it about?", key="user_context", context=str)["context"]
    return Message(f"Let us talk about {about}.")
