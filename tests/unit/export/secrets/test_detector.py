"""Finding secrets: the first look misses nothing, keys are found whole, cut off and in parts."""

from uuid import uuid4

import pytest

from bough.export.secrets.detector import NAMED_PATTERNS, PossibleSecrets, SecretDetector
from bough.export.secrets.heuristics import is_password, is_secret, is_setting
from bough.export.secrets.key_blocks import find_key_blocks
from bough.export.secrets.pattern_filter import is_plain_id
from bough.export.secrets.redact import Redactor
from bough.export.secrets.token_patterns import TOKEN_PATTERNS
from tests.unit.export.planted import Maker, planted, private_key

EVERY_SHAPE = PossibleSecrets([*TOKEN_PATTERNS, *NAMED_PATTERNS], keys=True)


def test_the_first_look_lets_pass_whatever_the_patterns_would_find() -> None:
    secrets = SecretDetector()

    for one in planted(130):
        for text in (one.text, f'{{"a":"{one.text}"}}', f"x\n{one.text}\ny", f"\\n{one.text}\\n"):
            seen = secrets.find(text, secrets.find_possible(text.encode()))

            assert seen == secrets.find(text, EVERY_SHAPE), one.kind


@pytest.mark.parametrize("emails", [False, True])
def test_lines_asked_about_together_are_told_what_each_alone_is_told(*, emails: bool) -> None:
    plain = [f'{{"content":"Mend the import of module {n}."}}'.encode() * 20 for n in range(200)]
    lines = [*plain, *(one.text.encode() for one in planted(130)), *plain]

    secrets = SecretDetector(emails=emails)

    told = list(secrets.find_possible_in(lines))

    assert told == [secrets.find_possible(line) for line in lines]
    assert not any(told[: len(plain)])
    assert all(told[len(plain) : -len(plain)])


def test_a_word_that_told_something_tells_it_again_after_many_others() -> None:
    secrets = SecretDetector()
    line = f"TOKEN={'gh' + 'p_' + '4Kd9' * 9}".encode()
    first = secrets.find_possible(line)

    for number in range(30):
        secrets.find_possible(b" ".join(b"%0500d" % (100 * number + n) for n in range(100)))

    assert first
    assert secrets.find_possible(line) == first


def test_numbers_of_tokens_are_no_secret_and_hide_none() -> None:
    secrets = SecretDetector()
    usage = b'"usage":{"input_tokens":4,"cache_read_input_tokens":123456789,"output_tokens":7}'

    assert not secrets.find_possible(b"{" + usage + b"}")
    assert secrets.find_possible(b"{" + usage + b',"tokens":1234567890}')
    assert secrets.find_possible(b"{" + usage + b',"tok' + b'en":"k3jd9-2kdl3-sdk3j"}')


def test_no_token_is_told_by_what_an_id_of_a_record_has() -> None:
    ids = [uuid4().hex for _ in range(500)]
    words = [f"{i[:8]}-{i[8:12]}-{i[12:16]}-{i[16:20]}-{i[20:]}".encode() for i in ids]

    assert all(map(is_plain_id, words))
    for shape in TOKEN_PATTERNS:
        assert all(marker.strip(b"0123456789abcdef-") for marker in shape.markers), shape.kind
        if not shape.markers and not shape.words:
            assert not any(map(shape.may_stand_in, words)), shape.kind


def test_a_path_as_long_as_a_line_of_a_key_is_none() -> None:
    paths = [f"/home/dev/Projects/{name * 12}/src/Components" for name in ("one-", "two-")]

    assert not SecretDetector().find_possible(" ".join(path[:66] for path in paths).encode())


def test_a_line_of_plain_words_is_looked_at_no_further() -> None:
    assert not SecretDetector().find_possible(
        b'{"type":"user","message":{"content":"Mend the import."}}'
    )


def test_plain_letters_written_as_escapes_hide_nothing_from_us() -> None:
    assert len(SecretDetector().find_possible(b'{"content":"\\u0067hp_x"}').shapes) == len(
        TOKEN_PATTERNS
    ) + len(NAMED_PATTERNS)


def test_of_two_that_overlap_the_more_trusted_one_counts() -> None:
    token = "gh" + "p_" + "4Kd9" * 9
    secrets = SecretDetector()
    text = f"Authorization: Bearer {token}"

    hits = secrets.find(text, secrets.find_possible(text.encode()))

    assert [(hit.kind, text[hit.start : hit.end]) for hit in hits] == [("GitHub token", token)]


def test_the_name_of_a_field_tells_what_its_text_does_not() -> None:
    secrets = SecretDetector()

    assert [hit.kind for hit in secrets.find("hunter2!x", PossibleSecrets(), "password")] == [
        "password"
    ]
    assert secrets.find("hunter2!x", PossibleSecrets(), "name") == []


def test_a_key_that_is_cut_off_is_hidden_as_far_as_it_goes() -> None:
    key = private_key(Maker(5), "RSA ")
    text = "\n".join(key.text.split("\n")[:-2]) + "\nand then words"

    (start, end, kind), *rest = find_key_blocks(text)

    assert (kind, rest) == ("RSA private key", [])
    assert text[end:] == "\nand then words"
    assert start == 0


def test_two_keys_are_two_and_what_is_between_stays() -> None:
    one, other = private_key(Maker(5), "EC "), private_key(Maker(6), "OPENSSH ")
    text = f"{one.text}\nbetween\n{other.text}"

    found = list(find_key_blocks(text))

    assert [kind for *_, kind in found] == ["EC private key", "OpenSSH private key"]
    assert text[found[0][1] : found[1][0]] == "\nbetween\n"


@pytest.mark.parametrize("text", ["hunter2!", "Tr0ub4dor&3", "s3cr3t-Passw0rd", "a1b2c3d4e5f6"])
def test_what_looks_chosen_is_a_secret(text: str) -> None:
    assert is_secret(text)


@pytest.mark.parametrize(
    "text",
    [
        "password",
        "changeme",
        "your-api-key",
        "${TOKEN}",
        "os.environ",
        "12.5",
        "2026-11-15",
        "/a/b/c1",
    ],
)
def test_stand_ins_are_none(text: str) -> None:
    assert not is_secret(text)
    assert not is_setting(text)


def test_a_weak_password_in_a_url_is_still_one() -> None:
    assert is_password("orchard")
    assert not is_password("password")


@pytest.mark.parametrize("before", ["", "x", "TOKEN_", '"', "="])
def test_an_access_key_without_a_digit_is_one(before: str) -> None:
    secret = "AK" + "IAWORLLTKGWXDFXKEH"

    assert secret not in Redactor().words(f"use {before}{secret} here")


def test_what_only_stands_for_an_access_key_stays() -> None:
    text = "AK" + "IA" + "X" * 16

    assert Redactor().words(text) == text
