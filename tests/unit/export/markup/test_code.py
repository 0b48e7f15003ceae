"""Code in colour: whatever the language, the text is the text."""

import re
from html import unescape
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.export.markup.code import LONGEST, color_lines, language_of, mark_ranges, render_code
from bough.export.markup.escape import escape_html
from bough.export.markup.highlight import has_language, highlight_code
from tests.sampled import mark_rest_whole, scale_examples
from tests.unit.export.fragments import read, seen

KNOWN = (
    *("python", "ts", "json", "bash", "go", "rust", "java", "c", "sql"),
    *("html", "css", "yaml", "toml"),
)
LANGUAGES = (*KNOWN, "lua", "")
MARKS = ['"', "'", '"""', "'''", "`", "\\", "#", "//", "/*", "*/", "\n", " ", "--", "r'", 'f"']
WORDS = ["def ", "class ", "return", "0x1F", "1.5e3", "{", "}", "$x", "@deco", "é", "\u202e", "<b>"]
CODE = st.lists(
    st.sampled_from(MARKS) | st.sampled_from(WORDS) | st.text(max_size=6), max_size=40
).map("".join)


@settings(max_examples=scale_examples(150))
@given(CODE, st.sampled_from(LANGUAGES))
def test_colours_change_no_character(code: str, language: str) -> None:
    code = code.replace("\r", "")

    lines = color_lines(code, language)

    assert [seen(line) for line in lines] == [seen(escape_html(line)) for line in code.split("\n")]


@given(CODE, st.sampled_from(KNOWN))
def test_a_pattern_gives_back_all_of_the_code(code: str, language: str) -> None:
    assert has_language(language)
    assert _without_tags(highlight_code(code, language)) == code


def _without_tags(html: str) -> str:
    return unescape(re.sub(r'<i class="\w">|</i>', "", html))


def test_odd_characters_are_named_between_the_hues() -> None:
    (line,) = color_lines("return '\u202e'", "python")

    assert line == (
        '<i class="k">return</i> '
        """<i class="s">'<span class="odd" title="U+202E">U+202E</span>'</i>"""
    )


def test_code_that_holds_what_stands_for_tags_has_no_hues() -> None:
    assert color_lines("if \x01:\n<b>", "python") == [
        'if <span class="odd" title="U+0001">^A</span>:',
        "&lt;b&gt;",
    ]


PARTS = ['"', "'", '"\\', "'\\", "`", "/*", "#[", "${", '"' * 3, "a", "1.", "a-", "é", "def "]


@pytest.mark.parametrize("language", mark_rest_whole(KNOWN, sorted(KNOWN)[::3]))
@pytest.mark.parametrize("part", PARTS)
def test_no_code_keeps_a_pattern_busy(language: str, part: str) -> None:
    code = part * 50_000

    assert _without_tags(highlight_code(code, language)) == code


def test_words_have_the_hue_of_what_they_are() -> None:
    line = color_lines('def run(n=1):  # go "on"', "python")[0]

    assert line == (
        '<i class="k">def</i> <i class="n">run</i>(n=<i class="m">1</i>):  '
        '<i class="c"># go "on"</i>'
    )


@pytest.mark.parametrize(
    ("code", "language", "line"),
    [
        ("def été(x)", "python", '<i class="k">def</i> <i class="n">été</i>(x)'),
        ("impl<'a> Tree", "rust", '<i class="k">impl</i>&lt;\'<i class="n">a</i>&gt; Tree'),
        ("defined = typed", "python", "defined = typed"),
        ("SELECT Name", "sql", '<i class="k">SELECT</i> Name'),
        ('rb"a" + u', "python", '<i class="s">rb"a"</i> + u'),
        ("none: none", "css", '<i class="n">none</i>: <i class="k">none</i>'),
        ("match! match", "rust", '<i class="n">match!</i> <i class="k">match</i>'),
        ("  #if x#y", "c", '  <i class="n">#if</i> x#y'),
        ("it's: b:c # d", "yaml", 'it\'<i class="n">s</i>: b:c <i class="c"># d</i>'),
        ("- on: 'x'", "yaml", '- <i class="n">on</i>: <i class="s">\'x\'</i>'),
        ("a.b = [1]", "toml", '<i class="n">a.b</i> = [<i class="m">1</i>]'),
        ("[[a.b]]", "toml", '<i class="n">[[a.b]]</i>'),
        ("<a>&amp;", "html", '<i class="n">&lt;a&gt;</i><i class="n">&amp;amp;</i>'),
    ],
)
def test_a_hue_begins_and_ends_with_what_has_it(code: str, language: str, line: str) -> None:
    assert color_lines(code, language) == [line]


def test_a_long_string_is_one_string_on_every_line() -> None:
    lines = color_lines('x = """a\nb"""\ny', "python")

    assert lines == ['x = <i class="s">"""a</i>', '<i class="s">b"""</i>', "y"]


def test_keys_of_json_are_names() -> None:
    assert color_lines('{"a": "b"}', "json") == ['{<i class="n">"a"</i>: <i class="s">"b"</i>}']


def test_other_languages_are_left_to_pygments() -> None:
    assert not has_language("lua")
    assert "<i class=" in color_lines("local x = 1", "lua")[0]


def test_a_language_nobody_knows_has_no_colours() -> None:
    assert color_lines("if x", "no-such-language") == ["if x"]


def test_code_beyond_reading_is_not_coloured() -> None:
    assert "<i" not in "".join(color_lines("if x:\n" * (LONGEST // 6 + 1), "python"))


def test_a_mark_may_cross_hues() -> None:
    line = color_lines("return 10", "python")[0]

    assert mark_ranges(line, [(3, 8)]) == (
        '<i class="k">ret</i><mark><i class="k">urn</i> <i class="m">1</i></mark><i class="m">0</i>'
    )


@given(CODE, st.lists(st.integers(0, 40), max_size=6))
def test_marks_change_no_character(code: str, cuts: list[int]) -> None:
    line = code.replace("\n", " ").replace("\r", " ")
    places = [0, *accumulate(len(escape_html(character)) for character in line)]
    chosen = [places[cut] for cut in sorted(set(cuts)) if cut < len(places)]
    marks = list(zip(chosen[::2], chosen[1::2], strict=False))

    shown = mark_ranges(color_lines(line, "python")[0], marks)

    assert read(shown).text == seen(escape_html(line))


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/home/dev/a.py", "python"),
        ("C:\\code\\app.TSX", "tsx"),
        ("Makefile", "make"),
        ("notes", ""),
        ("x.unheard", ""),
    ],
)
def test_a_file_tells_its_language_by_its_name(path: str, language: str) -> None:
    assert language_of(path) == language


def test_a_block_names_what_follows_the_fence() -> None:
    fragment = render_code("x\n", "python title=a.py")

    assert "python title=a.py" in seen(fragment)
