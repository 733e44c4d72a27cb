"""URI templates: what they match, what they refuse to be, and which values never reach a function."""

import time

import pytest

from accord.offers.uri_templates import LONGEST, BadTemplate, is_uri, parse, problem_of

# (template, URI, values)
MATCHES: list[tuple[str, str, dict[str, str] | None]] = [
    ("notes://today", "notes://today", {}),
    ("notes://today", "notes://today/", None),
    ("notes://a.b", "notes://aXb", None),
    ("test://{id}/data", "test://12/data", {"id": "12"}),
    ("test://{id}/data", "test:///data", None),
    ("test://{id}/data", "test://1/2/data", None),
    ("test://{id}/data", "test://1/data?x=1", None),
    ("test://{id}", "test://a%20b", {"id": "a b"}),
    ("test://{id}", "test://a%2Fb", {"id": "a/b"}),
    ("test://{id}", "test://%25252e", {"id": "%252e"}),
    ("test://{id}", "test://a%ff", None),
    ("test://{id}", "test://caf%C3%A9", {"id": "café"}),
    ("test://{id}", "test://café", {"id": "café"}),
    ("test://{id}", "test://a+b@c", {"id": "a+b@c"}),
    ("file:///{+path}", "file:///a/b.txt", {"path": "a/b.txt"}),
    ("file:///{+path}", "file:///", None),
    ("file:///{+path}.md", "file:///a/b.md.md", {"path": "a/b.md"}),
    ("file:///{+path}", "file:///a?b=c#d", {"path": "a?b=c#d"}),
    ("x://{name}.txt", "x://a.b.txt", {"name": "a.b"}),
    ("x://{a}-{b}", "x://1-2-3", {"a": "1", "b": "2-3"}),
    ("x://{a}/{b}", "x://1/2", {"a": "1", "b": "2"}),
    ("x://f{?q,n}", "x://f", {}),
    ("x://f{?q,n}", "x://f?n=2&q=a%26b", {"n": "2", "q": "a&b"}),
    ("x://f{?q}", "x://f?q", {"q": ""}),
    ("x://f{?q}", "x://f?q=a+b=c", {"q": "a+b=c"}),
    ("x://f{?q}", "x://f?other=1", {"other": "1"}),
    ("x://f{?q}", "x://f?q=%ff", None),
    ("x://{a}{?q}", "x://1?q=2&a=3", {"a": "1", "q": "2"}),
    ("x://{+a}{?q}", "x://1/2?q=3", {"a": "1/2", "q": "3"}),
]


@pytest.mark.parametrize(("template", "uri", "values"), MATCHES)
def test_a_template_says_what_its_variables_are(template: str, uri: str, values: dict[str, str] | None) -> None:
    assert parse(template).match(uri) == values


def test_the_variables_stand_in_their_order() -> None:
    template = parse("x://{b}/{+a}{?d,c}")
    assert template.variables == ("b", "a", "d", "c")
    assert template.open == {"a"}


# (template, what the error says)
UNREADABLE = [
    ("", "no scheme"),
    ("notes", "no scheme"),
    ("{scheme}://x", "no scheme"),
    ("x://a b", "what no URI may"),
    ("x://{a", "what no URI may"),
    ("x://a%zz", "what no URI may"),
    ("x://{}", "not understood"),
    ("x://{a-b}", "not understood"),
    ("x://{a,b}", "not understood"),
    ("x://{a*}", "not understood"),
    ("x://{#a}", "not understood"),
    ("x://{/a}", "not understood"),
    ("x://{a}{b}", "touch"),
    ("x://{a}/{a}", "twice"),
    ("x://{a}{?a}", "twice"),
    ("x://{+a}/{+b}", "take slashes"),
    ("x://{?a}/b", "something follows"),
    ("x://{?a}{?b}", "something follows"),
]


@pytest.mark.parametrize(("template", "said"), UNREADABLE)
def test_what_could_be_read_in_two_ways_is_no_template(template: str, said: str) -> None:
    with pytest.raises(BadTemplate, match=said) as raised:
        parse(template)
    assert raised.value.remedy.endswith(".")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("notes://today", True),
        ("mailto:a@b", True),
        ("x:" + "a" * (LONGEST - 2), True),
        ("x:" + "a" * (LONGEST - 1), False),
        ("", False),
        ("today", False),
        ("../etc", False),
        ("x://a b", False),
        ("x://a\nb", False),
        ("x://a%2", False),
        ("x://{a}", False),
        (None, False),
        (5, False),
    ],
)
def test_a_uri_has_a_scheme_a_moderate_length_and_nothing_left_to_encode(text: object, is_one: bool) -> None:
    assert is_uri(text) is is_one


# (value, is it a path, part of the problem)
VALUES = [
    ("12", False, None),
    ("a..b", False, None),
    ("...", False, None),
    ("x:y", False, None),
    ("", True, None),
    ("a/b", True, None),
    ("a/b", False, None),
    ("..", False, "upwards"),
    ("a/../b", True, "upwards"),
    ("..\\b", False, "upwards"),
    ("a/.. /b", False, "upwards"),
    ("/etc/passwd", True, "absolute"),
    ("/etc/passwd", False, "absolute"),
    ("\\\\host\\share", False, "absolute"),
    ("C:/x", False, "absolute"),
    ("C:x", True, "absolute"),
    ("a\x00b", False, "control"),
    ("a\nb", False, "control"),
]


@pytest.mark.parametrize(("value", "is_path", "problem"), VALUES)
def test_no_value_leads_out_of_where_it_is_looked_up(value: str, is_path: bool, problem: str | None) -> None:
    found = problem_of(value, is_path=is_path)
    assert (found is None) is (problem is None)
    assert problem is None or problem in str(found)


def test_matching_takes_no_longer_for_hostile_texts() -> None:
    templates = [parse("x://{+a}-{b}-{c}-{d}-e"), parse("x://{a}-{b}-{c}-{d}/{e}-{f}-g")]
    begun = time.perf_counter()
    for template in templates:
        for text in ("-", "a-", "-/"):
            assert template.match("x://" + text * (LONGEST // len(text) - 8) + "!") is None
    assert time.perf_counter() - begun < 2
