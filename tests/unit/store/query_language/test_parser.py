from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import ExitCode, Misuse
from bough.store.query_language import (
    And,
    Field,
    Filter,
    Not,
    Or,
    Query,
    QuerySyntaxError,
    Regex,
    Term,
    TextQuery,
    parse,
)

NOW = datetime(2026, 11, 15, 14, 30, tzinfo=UTC)


def read(text: str) -> Query:
    return parse(text, NOW, UTC)


def words(text: str) -> TextQuery | None:
    return read(text).text


A, B, C = Term("a"), Term("b"), Term("c")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a", A),
        ("a b", And((A, B))),
        ("a AND b", And((A, B))),
        ("a OR b", Or((A, B))),
        ("a OR b OR c", Or((A, B, C))),
        ("a b OR c", And((A, Or((B, C))))),
        ("a OR (b c)", Or((A, And((B, C))))),
        ("(a b) c", And((A, B, C))),
        ("(a OR b) OR c", Or((A, B, C))),
        ("((a))", A),
        ("-a", Not(A)),
        ("NOT a", Not(A)),
        ("NOT -a", A),
        ("-(a OR b)", Not(Or((A, B)))),
        ("a OR -b", Or((A, Not(B)))),
        ("check*", Term("check", prefix=True)),
        ('"exact words"', Term("exact words")),
        ('"exact wor"*', Term("exact wor", prefix=True)),
        ('"say ""hi"""', Term('say "hi"')),
        ('"OR"', Term("OR")),
        ("or", Term("or")),
        ("/time(out|d out)/", Regex("time(out|d out)")),
        ("/TODO/i", Regex("TODO", ignore_case=True)),
        (r"/a\/b\\c/", Regex(r"a/b\\c")),
        ("(/x/ OR a)", Or((Regex("x"), A))),
        ("黒猫 café", And((Term("黒猫"), Term("café")))),
    ],
)
def test_words_join_as_the_language_says(text: str, meaning: TextQuery) -> None:
    assert words(text) == meaning


@pytest.mark.parametrize(
    "word",
    [
        "foo(bar)",
        "f(x)(y)",
        "a)",
        "/usr/bin",
        "/usr/bin/",
        "/compact",
        "/app/[id]/page.tsx",
        "//",
        "--resume",
        "-",
        "std::sort",
        "http://example.org/a?b=c",
        'name="x"',
        "12:30",
        "notool:x",
        "ORDER",
        "C++",
        "->",
        "C:\\Users\\me",
    ],
)
def test_what_people_paste_is_a_word(word: str) -> None:
    assert words(f"a {word} b") == And((A, Term(word), B))


def test_a_word_in_a_group_keeps_its_own_parentheses() -> None:
    assert words("(f(x) OR a)") == Or((Term("f(x)"), A))


def test_filters_are_kept_apart_from_words() -> None:
    query = read("a tool:Bash b -model:haiku")

    assert query.text == And((A, B))
    assert query.filters == (Filter(Field.TOOL, "Bash"), Filter(Field.MODEL, "haiku", negated=True))


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("project:orchard-shop", Field.PROJECT, "orchard-shop"),
        ('project:"my app"', Field.PROJECT, "my app"),
        ('file:"a ""b"".py"', Field.FILE, 'a "b".py'),
        ("file:C:\\src\\a.py", Field.FILE, "C:\\src\\a.py"),
        ("file:f(1).txt", Field.FILE, "f(1).txt"),
        ("session:3f9c", Field.SESSION, "3f9c"),
        ("tool:mcp__*", Field.TOOL, "mcp__*"),
        ("TOOL:Bash", Field.TOOL, "Bash"),
        ("model:opus", Field.MODEL, "opus"),
        ("role:User", Field.ROLE, "user"),
        ("kind:tool_input", Field.KIND, "tool_input"),
        ("branch:active", Field.BRANCH, "active"),
        ("is:error", Field.IS, "error"),
        ("has:image", Field.HAS, "image"),
    ],
)
def test_every_filter_reads_its_value(text: str, field: Field, value: str) -> None:
    assert read(text) == Query(filters=(Filter(field, value),))


def test_two_bounds_of_one_kind_narrow_each_other() -> None:
    query = read("after:2026-11-01 after:2026-11-03 before:2026-12 before:2026-11-20")

    assert query.after == datetime(2026, 11, 3, tzinfo=UTC)
    assert query.before == datetime(2026, 11, 20, tzinfo=UTC)


def test_the_same_filter_twice_is_one() -> None:
    assert len(read("tool:Bash tool:Bash").filters) == 1


def test_an_empty_query_asks_for_nothing() -> None:
    assert read("  ") == Query()


@pytest.mark.parametrize(
    ("text", "position", "start"),
    [
        ("checkpoint  tool:", 17, "tool: wants a tool's name, as in tool:Bash."),
        ('tool:""', 5, "tool: wants a tool's name, as in tool:Bash."),
        ("role:me", 5, "role: wants user or assistant, as in role:user."),
        ("kind:image", 5, "kind: wants prompt, text, thinking, tool_input, tool_result or note,"),
        ("a after:soon", 8, "after: wants a date, as in after:2026-11-01,"),
        ("-before:today", 0, "Instead of -before: write after:."),
        ("tool:Bash OR a", 10, "tool: stands by itself,"),
        ("a OR tool:Bash", 5, "tool: stands by itself,"),
        ("(tool:Bash)", 1, "tool: stands by itself,"),
        ("NOT tool:Bash", 4, "tool: stands by itself,"),
        ("OR a", 0, "OR wants something on both sides,"),
        ("a OR", 4, "OR wants something on both sides,"),
        ("a OR OR b", 5, "OR wants something on both sides,"),
        ("AND a", 3, "AND wants something on both sides,"),
        ("a AND", 5, "AND wants something on both sides,"),
        ("a NOT", 5, "NOT wants something after it,"),
        ("a (b", 2, "Each ( wants a )."),
        ("a ( )", 4, "Parentheses want words in them,"),
        ("a ) b", 2, "This ) closes nothing."),
        ('a "b', 2, "A quote wants its closing quote,"),
        ('a "" b', 2, "A phrase wants words in its quotes,"),
        ("a *", 2, "A * wants the beginning of a word before it,"),
        ("a /b(c/", 4, "This is not a regular expression: missing ), unterminated subpattern."),
        ("/a{99999999999999}/", 0, "This regex is too large."),
        ("/time.*out", 0, "A regex ends with a slash,"),
        ("(" * 30, 11, "Parentheses and negations go 10 deep at most."),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, position: int, start: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        read(text)

    assert caught.value.message.startswith(start)
    assert caught.value.message.endswith(f" at character {position + 1}.")
    assert caught.value.position == position


def test_a_query_that_cannot_be_read_is_misuse() -> None:
    with pytest.raises(Misuse) as caught:
        read("tool:")

    assert caught.value.exit_code is ExitCode.MISUSE


@given(st.text() | st.text(alphabet='ab -"()/*:ORANDT\\itol'))
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str) -> None:
    try:
        read(text)
    except QuerySyntaxError as error:
        place = error.position
    else:
        place = 0

    assert 0 <= place <= len(text)
