import pytest

from bough.sample.data.file_layout import encode_folder_name


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/dev/code", "-home-dev-code"),
        ("C:\\Users\\A_b", "C--Users-A-b"),
        ("/a/.b c", "-a--b-c"),
        ("/é", "--"),
        ("/🌳", "---"),
    ],
)
def test_every_unit_that_is_no_letter_or_digit_becomes_a_dash(cwd: str, name: str) -> None:
    assert encode_folder_name(cwd) == name


def test_a_name_of_200_is_kept_and_a_longer_one_is_cut_with_a_hash() -> None:
    assert encode_folder_name("a" * 200) == "a" * 200
    cut = encode_folder_name("a" * 201)
    assert cut.startswith("a" * 200 + "-")
    assert cut != encode_folder_name("a" * 200 + "b")
