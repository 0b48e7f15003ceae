"""Hiding secrets: what looks like one is replaced before anything is rendered.

It works on the records themselves, every text in them, so no form of document can show what
another hides. The same secret is replaced by the same words, `[hidden: GitHub token 1]`, so
that talk about it stays readable. A line is written anew only where something was hidden in
it; all others stay the bytes they were.

Everything is looked at before anything is replaced: a password that is known by the setting
it stands in is then also hidden where somebody just mentions it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from bough.export.document_options import SecretFinding
from bough.export.secrets.detector import (
    PossibleSecrets,
    SecretDetector,
    SecretMatch,
    prepare_patterns,
)
from bough.export.secrets.heuristics import is_secret
from bough.export.secrets.known_secrets import KnownSecrets
from bough.export.secrets.pattern_filter import UNSEEN
from bough.line import Line
from bough.model.session import Session
from bough.records.decode import decode, decode_plain
from bough.records.record import BadLine, Record

__all__ = [
    "LABEL",
    "Redactor",
    "SecretFinding",
    "find_field_name",
    "is_encoded_bytes",
    "mask_secret",
    "prepare_patterns",
    "redact_session",
]

LABEL: Final = re.compile(r"\[hidden: ([^\[\]\n]{1,60}) ([0-9]{1,9})\]")
_MEDIA_TYPE: Final = re.compile(r"(?:image|audio|video|font|application)/[\w.+-]{1,100}")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/\r\n]{32,}={0,2}")
_SHOWN: Final = 4
_COOKIE_VALUE: Final = re.compile(r"[A-Za-z0-9_.-]{1,60}=([^\s;\"'\\]{8,})")
_SHORT_LINE: Final = 4_000


class Redactor:
    """Finds and replaces secrets in the records of one session and its agents."""

    def __init__(self, *, secrets: bool = True, emails: bool = False) -> None:
        self._secrets = SecretDetector(secrets=secrets, emails=emails)
        self._labels: dict[str, str] = {}
        self._secret_of: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._known = KnownSecrets()
        # Those looked at, kept alive so that no other can have the same id.
        self._checked: dict[int, tuple[Record | BadLine, PossibleSecrets]] = {}

    def learn_records(self, items: Iterable[Record | BadLine]) -> None:
        """Learn the secrets of some lines, so that they are known before any is replaced."""
        some = list(items)
        possible = self._secrets.find_possible_in([item.raw for item in some])
        for item, suspects in zip(some, possible, strict=True):
            self._checked[id(item)] = (item, suspects)
            if suspects:
                self._map_texts(_decode_item(item), suspects, self._learn)

    def learn_named(self, items: Iterable[Record | BadLine]) -> None:
        """Learn of some lines the secrets that could be mentioned elsewhere.

        Those with a form of their own are known there by that, so they are not looked for: that
        is half of the work. The lines themselves are not replaced later.
        """
        for item in items:
            suspects = self._secrets.find_possible_named(item.raw)
            if suspects:
                self._map_texts(_decode_item(item), suspects, self._learn)

    def learn_near(self, item: Record, words: Sequence[str]) -> None:
        """Learn which secrets of a record have one of some words in them.

        As far as they could be mentioned elsewhere, as in `learn_named`. A pattern reaches only so
        far, so the rest of a long text is not looked at.
        """
        if len(item.raw) <= _SHORT_LINE:
            self.learn_named([item])
            return
        line = item.raw.lower()
        shortest = min(map(len, words))
        done: set[str] = set()  # a result stands in its record twice
        for name, text in _list_texts(decode_plain(item.raw)):
            if len(text) < shortest:
                continue
            found = [word for word in words if word in text]
            if found and text not in done:
                done.add(text)
                self._learn_near_words(text, found, line)
            if found and name:
                self._learn(text, self._secrets.find(text, PossibleSecrets(), name))

    def _learn_near_words(self, text: str, words: Sequence[str], line: bytes) -> None:
        if UNSEEN.search(text) is None:
            places = [place for word in words for place in _find_all(word, text)]
            self._learn(text, self._secrets.find_near(text, places, line))
            return
        # Between characters that nobody sees a name may stand as far away as it likes.
        suspects = self._secrets.find_possible_named(text.encode("utf-8", "replace"))
        self._learn(text, self._secrets.find(text, suspects))

    def learn_from(self, other: "Redactor") -> None:
        """Learn the secrets that another knows by their letters."""
        for secret, kind in other.list_known():
            self._label_secret(secret, SecretMatch(0, len(secret), kind, by_words=True))

    def list_known(self) -> Iterator[tuple[str, str]]:
        """List the secrets that are known by their letters, each with its kind."""
        for secret in self._known:
            label = LABEL.fullmatch(self._labels[secret])
            yield secret, label[1] if label else "secret"

    def learn_text(self, text: str) -> None:
        """Learn the secrets of a text that lies beside the records."""
        suspects = self._secrets.find_possible(text.encode("utf-8", "replace"))
        if suspects:
            self._learn(text, self._secrets.find(text, suspects))

    def words(self, text: str) -> str:
        """Hide the secrets in a text."""
        suspects = self._secrets.find_possible(text.encode("utf-8", "replace"))
        return self._hide(text, self._secrets.find(text, suspects))

    def excerpt(self, text: str, *, is_cut_before: bool, is_cut_behind: bool) -> str:
        """Hide the secrets in words that were cut out of a text, perhaps in the middle of one."""
        start, end = self._known.find_cut(
            text, is_cut_before=is_cut_before, is_cut_behind=is_cut_behind
        )
        first = self._labels[start.secret] if start else ""
        last = self._labels[end.secret] if end else ""
        if start and end and start.end > end.start:
            return first
        middle = text[start.end if start else 0 : end.start if end else len(text)]
        return f"{first}{self.words(middle)}{last}"

    def record(self, record: Record) -> Record:
        """Hide the secrets in a record; gives the very same one where there are none."""
        known = self._checked.get(id(record))
        suspects = known[1] if known is not None else self._secrets.find_possible(record.raw)
        if not suspects and not self._known.may_stand_in(record.raw):
            return record
        value = decode_plain(record.raw)
        changed = self._map_texts(value, suspects, self._hide)
        if changed == value:
            return record
        line = Line(record.offset, record.number, msgspec.json.encode(changed) + b"\n")
        made = decode(line)
        return record if isinstance(made, BadLine) else made

    def bad_line(self, line: BadLine) -> BadLine:
        """Hide the secrets in a line that is no record."""
        text = line.raw.decode("utf-8", "surrogateescape")
        hidden = self.words(text)
        if hidden == text:
            return line
        return msgspec.structs.replace(line, raw=hidden.encode("utf-8", "surrogateescape"))

    @property
    def has_secrets(self) -> bool:
        """Tell whether there was any secret to hide."""
        return bool(self._secret_of)

    def findings(self, text: str) -> tuple[SecretFinding, ...]:
        """List what is hidden in a document, by kind in the order they were met."""
        places: dict[str, dict[str, int]] = {}
        for match in LABEL.finditer(text):
            if match[0] in self._secret_of:
                own = places.setdefault(match[1], {})
                own[match[0]] = own.get(match[0], 0) + 1
        return tuple(
            SecretFinding(
                kind, sum(own.values()), tuple(mask_secret(self._secret_of[label]) for label in own)
            )
            for kind, own in places.items()
        )

    def _learn(self, text: str, hits: list[SecretMatch]) -> str:
        for hit in hits:
            secret = text[hit.start : hit.end]
            self._label_secret(secret, hit)
            for part in _COOKIE_VALUE.findall(secret) if hit.kind == "cookie" else ():
                # A header holds several; whoever mentions one mentions no header.
                if is_secret(part):
                    self._label_secret(part, hit)
        return text

    def _hide(self, text: str, hits: list[SecretMatch]) -> str:
        parts, at = [], 0
        for hit in hits:
            parts += [self._hide_mentions(text[at : hit.start])]
            parts += [self._label_secret(text[hit.start : hit.end], hit)]
            at = hit.end
        return "".join([*parts, self._hide_mentions(text[at:])])

    def _label_secret(self, secret: str, hit: SecretMatch) -> str:
        label = self._labels.get(secret)
        if label is None:
            number = self._numbers[hit.kind] = self._numbers.get(hit.kind, 0) + 1
            label = self._labels[secret] = f"[hidden: {hit.kind} {number}]"
            self._secret_of[label] = secret
            if hit.by_words:
                self._known.learn(secret)
        return label

    def _hide_mentions(self, text: str) -> str:
        """Hide what is known from elsewhere to be a secret."""
        parts, at = [], 0
        for match in self._known.find(text):
            parts += [text[at : match.start()], self._labels[match[0]]]
            at = match.end()
        return "".join([*parts, text[at:]]) if parts else text

    def _map_texts(
        self,
        value: Any,
        suspects: PossibleSecrets,
        use: Callable[[str, list[SecretMatch]], str],
        name: str = "",
    ) -> Any:
        """Use every text of a value, and give the value with what was made of them."""
        match value:
            case str():
                return use(value, self._secrets.find(value, suspects, name))
            case list():
                if suspects.keys and (lines := self._key_in_lines(value, suspects, use)):
                    return lines
                return [self._map_texts(inner, suspects, use, name) for inner in value]
            case dict():
                return {
                    use(key, self._secrets.find(key, suspects)): inner
                    if is_encoded_bytes(key, value)
                    else self._map_texts(inner, suspects, use, find_field_name(key, value))
                    for key, inner in value.items()
                }
            case _:
                return value

    def _key_in_lines(
        self,
        value: list[Any],
        suspects: PossibleSecrets,
        use: Callable[[str, list[SecretMatch]], str],
    ) -> list[str] | None:
        """Use lines that were cut apart, as a patch has them, where a key runs through them."""
        if not all(isinstance(inner, str) for inner in value):
            return None
        text = "\n".join(value)
        hits = self._secrets.find(text, suspects)
        through = any("\n" in text[hit.start : hit.end] for hit in hits)
        return use(text, hits).split("\n") if through else None


def redact_session(
    session: Session, *, secrets: bool, emails: bool, beside: Iterable[str] = ()
) -> tuple[Session, Redactor]:
    """Give a session in which secrets are hidden, its agents' too, and what hid them.

    Texts `beside` the records are looked at as well; whoever shows them hides what is in them.
    """
    redactor = Redactor(secrets=secrets, emails=emails)
    redactor.learn_records(session.records)
    for agent in session.agents:
        redactor.learn_records(agent.records)
    for text in beside:
        redactor.learn_text(text)
    return session.rewrite_with(redactor), redactor


def mask_secret(secret: str) -> str:
    """Show how a secret begins: never more than four characters, nor a third of it."""
    words = secret[secret.find("-----", _SHOWN + 1) + 5 :].lstrip("\\nr \n")
    words = words if secret.startswith("-----BEGIN") else secret
    return f"{words[: min(_SHOWN, len(words) // 3)]}…"


def _find_all(word: str, text: str) -> Iterator[tuple[int, int]]:
    """Find all places of a word in a text."""
    at = text.find(word)
    while at >= 0:
        yield at, at + len(word)
        at = text.find(word, at + len(word))


def _list_texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """List all texts of a value, each with the name of the field it stands in."""
    match value:
        case str():
            yield name, value
        case list():
            for inner in value:
                yield from _list_texts(inner, name)
        case dict():
            for key, inner in value.items():
                yield "", key
                if not is_encoded_bytes(key, value):
                    yield from _list_texts(inner, find_field_name(key, value))
        case _:
            return


def _decode_item(item: Record | BadLine) -> Any:
    return (
        item.raw.decode("utf-8", "replace") if isinstance(item, BadLine) else decode_plain(item.raw)
    )


def find_field_name(key: str, among: Mapping[str, Any]) -> str:
    """Find what a field is called: its key, or where that is `value` what stands beside it.

    Settings are often written so: {"name": "DB_PASSWORD", "value": "..."}.
    """
    if key.lower() != "value":
        return key
    told = (among.get(name) for name in ("name", "key", "Name", "Key"))
    return next((one for one in told if isinstance(one, str)), key)


def is_encoded_bytes(key: str, among: Mapping[str, Any]) -> bool:
    """Tell whether a field holds bytes written in letters: a picture's, or a signature.

    The name alone does not: whoever calls a tool may call a field as they like.
    """
    text = among[key]
    match key:
        case "data" | "base64":
            kinds = (among.get(name) for name in ("media_type", "mimeType", "type"))
            is_named = any(isinstance(kind, str) and _MEDIA_TYPE.match(kind) for kind in kinds)
        case "signature":
            is_named = among.get("type") == "thinking"
        case _:
            return False
    return is_named and isinstance(text, str) and _BASE64.fullmatch(text) is not None
