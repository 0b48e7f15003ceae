import uuid

from bough.sample.data.ids import hex_of, token_of, uuid_of, uuid_with_prefix


def test_the_same_words_give_the_same_id_and_others_another() -> None:
    assert uuid_of("a", 1) == uuid_of("a", 1) != uuid_of("a", 2)


def test_a_uuid_may_begin_as_asked() -> None:
    made = uuid_with_prefix("3f9c21d0", "x")

    assert made.startswith("3f9c21d0-")
    assert str(uuid.UUID(made)) == made


def test_tokens_look_like_those_of_the_api() -> None:
    made = token_of("toolu", "x")

    assert made.startswith("toolu_01")
    assert len(made) == len("toolu_01") + 22
    assert made[8:].isalnum()


def test_hex_has_the_length_asked_for() -> None:
    assert len(hex_of(16, "x")) == 16
