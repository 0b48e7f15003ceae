"""Two texts side by side: the words in which they differ are marked, and nothing is markup."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from bough.export.html.text_pair import render_prose_pair, render_text_pair
from bough.export.markup.markdown import render_markdown

markdown = st.lists(
    st.sampled_from(
        [
            "word ",
            "other ",
            "*em* ",
            "**a b** ",
            "`x<y` ",
            "&amp; ",
            "[l](https://e.x) ",
            "\n\n",
            "- item ",
            "\n",
            "> q ",
            "```py\nx = 1\n```\n",
            "| a | b |\n|--|--|\n| c | d |\n",
            "<b>",
        ]
    ),
    max_size=12,
).map("".join)


def test_words_that_differ_are_marked_on_both_sides_and_no_others() -> None:
    assert render_text_pair("keep the old name\nsame", "keep the new name\nsame") == (
        "keep the <mark>old</mark> name\nsame",
        "keep the <mark>new</mark> name\nsame",
    )


def test_equal_texts_and_a_text_beside_nothing_have_no_marks() -> None:
    assert render_text_pair("a\nb", "a\nb") == ("a\nb", "a\nb")
    assert render_text_pair("", "only here") == ("", "only here")


def test_what_looks_like_markup_is_text_also_inside_marks() -> None:
    a, b = render_text_pair("one two <b>old</b> & end", "one two <i>new</i> & end")

    assert "<b>" not in a
    assert "<i>" not in b
    assert "&lt;" in a
    assert a.endswith("&amp; end")
    assert a.count("<mark>") == a.count("</mark>") > 0


def test_answers_are_rendered_and_the_words_that_differ_are_marked_inside_them() -> None:
    a, b = render_prose_pair(
        "Done:\n\n- keeps the **old** name\n- same", "Done:\n\n- keeps the **new** name\n- same"
    )

    assert "<strong><mark>old</mark></strong>" in a
    assert "<strong><mark>new</mark></strong>" in b
    assert a.count("<mark>") == b.count("<mark>") == 1
    assert a.replace("<mark>", "").replace("</mark>", "") == render_markdown(
        "Done:\n\n- keeps the **old** name\n- same"
    )


def test_a_mark_in_an_answer_ends_where_a_tag_stands_and_begins_again_behind_it() -> None:
    a, _ = render_prose_pair("keep all of `this code` in it", "keep all of nothing in it")

    assert "<code><mark>this code</mark></code>" in a


def test_only_lines_of_an_answer_that_differ_are_compared_however_many_there_are() -> None:
    same = "".join(f"Line {number}.\n\n" for number in range(100))

    a, b = render_prose_pair(f"{same}The end is near.", f"{same}The end is far.")

    assert "The end is <mark>near</mark>." in a
    assert "The end is <mark>far</mark>." in b


@given(markdown, markdown)
def test_marks_change_nothing_but_that_they_are_there(one: str, other: str) -> None:
    a, b = render_prose_pair(one, other)

    for html, text in ((a, one), (b, other)):
        assert html.count("<mark>") == html.count("</mark>")
        assert html.replace("<mark>", "").replace("</mark>", "") == render_markdown(text)
        Balanced().feed(html)


class Balanced(HTMLParser):
    """Fails where a tag ends that is not the last that began."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("br", "hr"):
            self.open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
