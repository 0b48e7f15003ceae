import pytest

from bough.model.text.match_patterns import WordPattern


def found(word: str, text: str, *, prefix: bool = False) -> list[str]:
    return [text[start:end] for start, end in WordPattern(word, prefix).spans(text)]


@pytest.mark.parametrize(
    ("word", "text", "marked"),
    [
        ("check", "Check recheck checked CHECK", ["Check", "CHECK"]),
        ("cafe", "Un CAFÉ, cafe\u0301 ou cafe", ["CAFÉ", "cafe\u0301", "cafe"]),
        ("café", "plain cafe", ["cafe"]),
        ("foo bar", "foo_bar foo.bar foobar foo\n\nbar", ["foo_bar", "foo.bar", "foo\n\nbar"]),
        ("foo_bar", "é foo bar", ["foo bar"]),
        ("файл", "фаи\u0306л и файл", ["фаи\u0306л", "файл"]),
        ("σας", "ΣΑΣ", ["ΣΑΣ"]),
        ("猫", "黒猫python猫", ["猫", "猫"]),
        ("猫python", "黒猫python", ["猫python"]),
        ("python", "黒猫python猫", ["python"]),
        ("猫 犬", "猫犬 猫、犬", ["猫、犬"]),
        ("api", "\uff21\uff30\uff29", ["\uff21\uff30\uff29"]),
        ("->", "a -> b", ["->"]),
        ("🎉", "done 🎉", ["🎉"]),
        ("ß", "strasse", []),
        ("e", "e\u0301e", []),
    ],
)
def test_a_word_is_found_as_it_was_written(word: str, text: str, marked: list[str]) -> None:
    assert found(word, text) == marked


@pytest.mark.parametrize("text", ["checkpoint recheck", "checkpoint naïve recheck"])
def test_a_prefix_marks_what_was_typed(text: str) -> None:
    assert found("check", text, prefix=True) == ["check"]


def test_being_there_is_told_without_its_place() -> None:
    assert WordPattern("b").is_in("a b")
    assert not WordPattern("b").is_in("ab")
