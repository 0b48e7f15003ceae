"""Text as the search index sees it.

SQLite's unicode61 tokenizer splits at everything that is not a letter or a digit and
folds case and accents. That serves every script that puts spaces between its words.
Chinese, Japanese and Korean (and Thai, Lao, Khmer, Burmese) do not, so a run of them is
indexed as overlapping pairs and then its last character: every character begins a token,
and any stretch of two or more is a phrase of pairs. Queries are cut by the same rule, so
whatever was written is found. Hundreds of megabytes pass through here: ASCII text, which
most of it is, comes back untouched after one test of a flag.
"""

import re
import unicodedata
from functools import cache
from operator import add

# Scripts written without spaces, as the inside of a character class. The iteration mark
# and the long-vowel sign belong to words; the punctuation of these blocks does not.
WIDE = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0edf"  # Lao
    "\u1000-\u109f"  # Burmese
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7fb\u3131-\u318e"  # Hangul
    "\u1780-\u17d3"  # Khmer
    "\u3005-\u3007\u3021-\u3029\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u3105-\u312f\u31a0-\u31bf"  # bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U0001b000-\U0001b16f\U00020000-\U000323af"  # rare kana, rare Han
)
# Accents that follow their letter and that unicode61 drops; others end a token.
MARKS = "\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331"
# Private-use characters are letters to unicode61, and not to Python's \w.
PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010fffd"
LETTER = f"\\w{PRIVATE}"

# Full-width Latin and half-width kana come out of East Asian keyboards.
_WIDTHS = "\uff01-\uff9f"
# unicode61 knows the characters of 2012: later emoji are letters to it and glue words.
# A lone surrogate cannot be stored at all.
_NOT_TEXT = "\U0001f000-\U0001faff\ud800-\udfff"

# Large classes take milliseconds to compile, which a command about ASCII text need not pay.
_compile = cache(re.compile)
_ACCENT = "[\u0300-\u036f]"
_SPECIAL = f"[{WIDE}\u0300-\u036f{_WIDTHS}{_NOT_TEXT}]"
_MAY_BE_WIDE = f"[{WIDE}{_WIDTHS}]"
_WIDE_RUN = f"[{WIDE}]+"
_WIDE_TAIL = f"([{WIDE}]+)(?:_|[^{LETTER}{WIDE}])*\\Z"
_WIDTHS_RUN = f"[{_WIDTHS}]+"
_NOT_TEXT_RUN = f"[{_NOT_TEXT}]+"
_TOKEN = f"(?!_)[{LETTER}](?:(?!_)[{LETTER}{MARKS}])*"
_MARK = f"[{MARKS}]"
_ASCII_TOKEN = re.compile("[A-Za-z0-9]")
# Where all is folded, and nothing but letters is left beside ASCII.
_FOLDED_TOKENS = re.compile("[a-z0-9\x80-\U0010ffff]+")
_ASCII = bytes(range(128))
_MOST_REPLACED = 40
"""Of more different characters, each is looked for in vain more often than it is there."""
# The bytes that a special character may begin with in UTF-8, and those of all others but ASCII.
_LEAD_CLASSES = bytes(
    ord(" ")
    if code < 0x80
    else ord("s" if code in {0xCC, 0xCD, 0xE0, 0xE1} or code > 0xE2 else "n")
    for code in range(256)
)
_SPECIAL_RUN = re.compile(b"s[sn]+")

_LONG_RUN = 200
_PROBE = _LONG_RUN // 2
_IN_BASE64 = "A-Za-z0-9+/_\\-"
_PROBE_HIT = re.compile(f"[{_IN_BASE64}\r\n]{{{_PROBE}}}")
_REGION_END = re.compile(f"[{_IN_BASE64}\r\n]*={{0,2}}")
_REGION_START = re.compile(f"[{_IN_BASE64}\r\n]*\\Z")
_RUN = re.compile(
    f"(?:[{_IN_BASE64}]{{60,}}+\r?\n)+(?:[{_IN_BASE64}]{{16,}}+={{0,2}}|[{_IN_BASE64}]+={{1,2}})"
    f"|[{_IN_BASE64}]{{{_LONG_RUN},}}+={{0,2}}"
)
_BASE64_CLASSES = bytes(
    ord("b" if re.match(f"[{_IN_BASE64}\r\n]", chr(code)) else " ") for code in range(256)
)
_FOURTHS_OF_RUN = b"b" * ((_LONG_RUN - len("==")) // 4)
_CLASS_CHANGE = re.compile("[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])")
_WORD_BREAK = re.compile("[/_\r\n-]")
_JUDGED_BY = 2_000
_LONGEST_NAME = 60
_DATA_URL = re.compile(f"data:[\\w.+-]+/[\\w.+-]+[^,\\s]{{0,200}};base64,[{_IN_BASE64}%=]*")


def fts_text(text: str) -> str:
    """Turn text into what the tokenizer can cut: unspaced scripts become pairs."""
    return text if text.isascii() else fts_bytes(encode_text(text)).decode()


def fts_bytes(written: bytes) -> bytes:
    """Turn the bytes of a text into those of what the tokenizer can cut.

    Fast path: a first index, two of a hundred seconds of CPU. Texts are bytes from here to SQLite,
    so that what is not ASCII is encoded once and not at every door.
    """
    if written.isascii():
        return written
    rest = _strip_ascii(written)
    # Only an accent that follows its letter may join with ASCII.
    if not unicodedata.is_normalized("NFC", rest) or _compile(_ACCENT).search(rest):
        return encode_text(_cut_pairs(_decode_text(written), rest))
    return _cut_pairs_in_runs(written, rest) if _is_special(rest) else written


def fts_phrase(text: str, *, prefix: bool = False) -> str | None:
    """Quote searched text as an FTS5 phrase; None when no token is in it.

    Nothing in the text is syntax to FTS5. A run of an unspaced script at the end may go on
    in what was written, so it is left open: pairs without the last character.
    """
    plain = normalize_text(text).replace("\0", " ").replace('"', " ")
    if not _has_token(plain):
        return None
    tail = None if plain.isascii() else _compile(_WIDE_TAIL).search(plain)
    if tail is None or not _has_token(tail[1]):
        return f'"{fts_text(plain)}"' + ("*" if prefix else "")
    run = tail[1]
    pairs = " ".join(map(add, run, run[1:])) or run
    return f'"{fts_text(plain[: tail.start()])} {pairs}"' + ("*" if len(run) == 1 else "")


def split_tokens(text: str) -> list[str]:
    """Cut text into the tokens the index keeps, folded, in order."""
    return cut_tokens(fts_text(text))


def cut_tokens(prepared: str) -> list[str]:
    """Cut what `fts_text` gave into tokens, as unicode61 does, folded, in order."""
    if prepared.isascii():
        return _FOLDED_TOKENS.findall(prepared.lower())
    folded = _fold_each(prepared)
    if folded is not None:
        return _FOLDED_TOKENS.findall(folded)
    return [
        token.lower() if token.isascii() else fold_text(token)
        for token in _compile(_TOKEN).findall(prepared)
    ]


def has_token(text: str) -> bool:
    """Tell whether the index keeps anything of this text."""
    return _has_token(normalize_text(text))


def normalize_text(text: str) -> str:
    """Compose accents, undo typographic widths, and blank what is not text."""
    if text.isascii():
        return text
    rest = _strip_ascii(encode_text(text))
    is_plain = unicodedata.is_normalized("NFC", rest) and not _is_special(rest)
    return text if is_plain else _normalize(text, rest)


def fold_text(text: str) -> str:
    """Fold case and accents as unicode61 does with remove_diacritics 2."""
    if text.isascii():
        return text.lower()
    return "".join(map(_fold_char, text))


def strip_base64(text: str, written: bytes | None = None) -> str:
    """Drop base64: payloads of data: URLs and long runs, also when broken into lines.

    A run counts from 200 characters on. A long path or identifier is told apart by its
    short pieces and its steady case, and is kept. `written` are its bytes, if they are there.
    """
    if written is None:
        written = encode_text(text)
    # Fast path: strip_base64 of 15 MB of the corpus, 30 ms instead of 50. Every fourth character
    # tells where a run may be.
    if _FOURTHS_OF_RUN in written[::4].translate(_BASE64_CLASSES):
        text = _blank_base64_runs(text)
    if b";base64," in written:
        text = _DATA_URL.sub(" ", text)
    return text


def encode_text(text: str) -> bytes:
    """Give the bytes of a text; half characters are kept."""
    return text.encode("utf-8", "surrogatepass")


def _decode_text(written: bytes) -> str:
    return written.decode("utf-8", "surrogatepass")


def _strip_ascii(written: bytes) -> str:
    """Drop the ASCII: what is left decides which of the slower ways the text must go."""
    # Fast path: fts_text of 20 MB of the corpus, 170 ms instead of 198 with a regex.
    return _decode_text(written.translate(None, _ASCII))


def _fold_each(text: str) -> str | None:
    """Fold a text before it is cut, and put spaces for what ends a token; None where that differs.

    Fast path: cut_tokens of 3.5 MB of the corpus that is not ASCII, 120 ms instead of 220 token by
    token. Most of such texts have a few dashes, arrows and accents, each of them often.
    """
    found = set(_strip_ascii(encode_text(text)))
    changed = [char for char in found if _find_folded(char) != char]
    if len(changed) > _MOST_REPLACED:
        return None
    for char in changed:
        folded = _find_folded(char)
        if folded is None:
            return None
        text = text.replace(char, folded)
    return text.lower() if text.isascii() else _decode_text(encode_text(text).lower())


@cache
def _find_folded(char: str) -> str | None:
    """Give what a character is folded to in any token, a space if it is in none."""
    # A mark belongs to a token only where one is before it.
    if _compile(_MARK).match(char):
        return None
    return _fold_char(char) if _compile(_TOKEN).match(char) else " "


def _is_special(rest: str) -> bool:
    return _compile(_SPECIAL).search(rest) is not None


def _has_token(text: str) -> bool:
    token = _ASCII_TOKEN if text.isascii() else _compile(_TOKEN)
    return token.search(text) is not None


def _normalize(text: str, rest: str) -> str:
    widths, not_text = _compile(_WIDTHS_RUN), _compile(_NOT_TEXT_RUN)
    if widths.search(rest):
        text = widths.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    if not_text.search(rest):
        text = not_text.sub(" ", text)
    return unicodedata.normalize("NFC", text)


def _cut_pairs(text: str, rest: str) -> str:
    text = _normalize(text, rest)
    if not _compile(_MAY_BE_WIDE).search(rest):
        return text
    parts = _compile(f"({_WIDE_RUN})").split(text)
    if len(parts) > 1:
        parts[1::2] = _list_pairs(parts[1::2])
    return "".join(parts)


def _cut_pairs_in_runs(written: bytes, rest: str) -> bytes:
    """Cut pairs where characters stand that may need it, and leave all between them as it is.

    Fast path: fts_text of 15 MB of the corpus, 105 ms instead of 120. Most of a text that has
    such characters is ASCII, and a regex looks at each of its characters, several times.
    """
    runs = [run.span() for run in _SPECIAL_RUN.finditer(written.translate(_LEAD_CLASSES))]
    joined = _decode_text(b"\n".join([written[start:end] for start, end in runs]))
    cut = encode_text(_cut_pairs(joined, rest)).split(b"\n")
    parts: list[bytes] = []
    done = 0
    for (start, end), pairs in zip(runs, cut, strict=True):
        parts += written[done:start], pairs
        done = end
    parts.append(written[done:])
    return b"".join(parts)


def _list_pairs(runs: list[str]) -> list[str]:
    """Give the pairs of each run, then its last character, between spaces.

    Fast path: fts_text of 15 MB of the corpus, 20 ms less than run by run. Of all runs, with a
    NUL before each, every character, the next one and a space are put beside one another at
    once. The NULs part the runs again; what stands first in each is its first character alone.
    """
    joined = memoryview(("\0" + "\0".join(runs)).encode("utf-32-le")).cast("I")
    cells = memoryview(bytearray(3 * joined.nbytes)).cast("I")
    cells[::3] = joined
    cells[1:-3:3] = joined[1:]
    cells[2::3] = memoryview(" ".encode("utf-32-le") * len(joined)).cast("I")
    pairs = bytes(cells).decode("utf-32-le").split("\0")[1::2]
    return [f" {run[2:]} " for run in pairs]


@cache
def _fold_char(char: str) -> str:
    folded = char.casefold()
    if len(folded) != 1:
        folded = char.lower()
    if len(folded) != 1:
        folded = char
    if folded.isascii():
        return folded
    if _compile(_MARK).match(folded):
        return ""
    base = unicodedata.normalize("NFD", folded)[0]
    # Only what is built on a Latin letter loses its accents: "й" stays apart from "и".
    return base.lower() if base.isascii() else folded


def _blank_base64_runs(text: str) -> str:
    """Look at every hundredth character, which no run of two hundred can escape."""
    kept: list[str] = []
    done = 0
    place = 0
    hit = _PROBE_HIT.match
    while place + _PROBE <= len(text):
        if hit(text, place) is None:
            place += _PROBE
            continue
        # The probe before this one failed, so the region begins within one probe's reach.
        reach = text[max(done, place - _PROBE) : place]
        start = place - len(_find_region_start(reach))
        end = _find_region_end(text, place)
        if end - start >= _LONG_RUN:
            kept.append(text[done:start])
            kept.append(_RUN.sub(_blank_if_base64, text[start:end]))
            done = end
        place = max(end, place + 1)
        place += -place % _PROBE
    if not kept:
        return text
    kept.append(text[done:])
    return "".join(kept)


def _find_region_start(before: str) -> str:
    found = _REGION_START.search(before)
    return found[0] if found else ""


def _find_region_end(text: str, place: int) -> int:
    found = _REGION_END.match(text, place)
    return found.end() if found else place


def _blank_if_base64(run: re.Match[str]) -> str:
    return " " if len(run[0]) >= _LONG_RUN and _is_base64(run[0]) else run[0]


def _is_base64(run: str) -> bool:
    sample = run[:_JUDGED_BY]
    if len(_CLASS_CHANGE.findall(sample)) * 5 >= len(sample):
        return True
    # Pictures with large blank areas give long rows of one letter.
    return max(map(len, _WORD_BREAK.split(sample))) > _LONGEST_NAME
