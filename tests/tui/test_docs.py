"""What the docs say about the keys is what the keys do."""

from pathlib import Path

from bough.tui.keymap import KEYS, format_press


def test_every_key_is_in_the_docs_as_it_is(root: Path) -> None:
    text = (root / "docs" / "terminal.md").read_text(encoding="utf-8")

    rows = [
        f"| {presses} | {key.name} | {key.everywhere} |"
        for key in KEYS
        for presses in [" ".join(f"`{format_press(press)}`" for press in key.keys)]
    ]

    assert [row for row in rows if row not in text] == []


def test_no_key_stands_for_two_things() -> None:
    presses = [press for key in KEYS for press in key.keys]

    assert len(presses) == len(set(presses))
