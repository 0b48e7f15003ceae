"""Two texts side by side: the words in which they differ are marked, and nothing is markup."""

from bough.export.html.text_pair import render_text_pair


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
