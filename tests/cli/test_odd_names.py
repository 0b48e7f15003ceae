"""Files may be called anything; what a terminal would obey never reaches it."""

from pathlib import Path

from bough.sample import session
from tests.cli.screens import piped
from tests.conftest import Home


def test_control_characters_of_a_files_name_reach_no_terminal(home: Home) -> None:
    with home.writing():
        path = Path(session("one").user("first words").assistant("a").write(home))
        odd = path.rename(path.with_name("a\tb\x1b[31mX\x9b2J.jsonl"))

    for words in (
        ["sessions"],
        ["show", str(odd)],
        ["tree", str(odd)],
        ["show", "latest"],
        ["conversations"],
        ["usage", "session"],
        ["doctor", str(odd)],
        ["export", str(odd), "--to", "md", "-o", "-"],
    ):
        done = piped(*words)
        said = done.stdout + done.stderr
        assert "first words" in said or words[0] in ("doctor", "usage"), words
        assert not any(acts in said for acts in ("\x1b", "\x9b", "\t")), words
