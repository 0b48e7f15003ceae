"""Decisions: sentences in which somebody settles something about a topic.

Nobody is asked to understand them. A sentence counts where it commits to something (use,
keep, never, instead, agreed ...) within twelve words of the topic, and is no question. So
these are candidates, and are called so.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_FENCE: Final = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_NEAR: Final = 12
_LONGEST: Final = 20_000


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP_WORDS: Final = _set_of(
    "a an the of for to in on at by with and or is are be do does did we i it this "
    "that our my what which how should about"
)
# Words before a verb that still leave it a command or a commitment of the speaker's own.
_LEADS: Final = _set_of(
    "ok okay yes no so then please let's lets we we'll i'll i let us and but just "
    "will shall should always actually right good fine now also again both hence "
    "therefore"
)
_VERBS: Final = _set_of(
    "use keep avoid prefer stick go drop choose pick switch move put store leave "
    "never don't dont not always"
)
_SETTLED: Final = _set_of(
    "decide decided decides decision agreed instead chose chosen settled picked"
)
# "must never" is a rule, "was never moved" tells what happened.
_BINDING: Final = _set_of("should must shall will we we'll i'll")
_PLACES: Final = _set_of("to into through back ahead")
_JOINTS: Final = frozenset("_=;-/\\")
_SUGGESTED: Final = _set_of("maybe perhaps might could if whether wonder consider")


def list_topic_words(topic: str) -> list[str]:
    """List the words of a topic that say something."""
    words = [word.casefold() for word in _WORD.findall(topic)]
    return [word for word in dict.fromkeys(words) if word not in _STOP_WORDS] or words


def find_statements(text: str, topic: Sequence[str]) -> list[str]:
    """Find the sentences of a text that settle something about a topic."""
    plain = _FENCE.sub("\n", text[:_LONGEST])
    return [sentence for sentence in _split_sentences(plain) if _settles(sentence, topic)]


def last_paragraph_of(text: str) -> str:
    """Give the last paragraph of an answer, where it says how things turned out."""
    parts = [part for part in re.split(r"\n\s*\n", text.strip()[-_LONGEST:]) if part.strip()]
    return parts[-1] if parts else ""


def mentions_topic(text: str, topic: Sequence[str]) -> bool:
    """Tell whether a text has the words of a topic in it, wherever they stand."""
    words = [word.casefold() for word in _WORD.findall(text[:_LONGEST])]
    return bool(topic) and _count_found(words, topic) >= _count_needed(topic)


def _split_sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        if words := sentence.strip(" \t*-•>#"):
            yield words


def _settles(sentence: str, topic: Sequence[str]) -> bool:
    if sentence.rstrip("\"')* ").endswith("?"):
        return False
    # An aside such as what git prints: (use "git add" to update what will be committed)
    if sentence.startswith("(") and sentence.endswith(")"):
        return False
    found = list(_WORD.finditer(sentence))
    words = [match[0].casefold().replace("\u2019", "'") for match in found]
    if _SUGGESTED.intersection(words[:4]):
        return False
    for number in _list_commitments(words):
        if _is_in_name(sentence, found[number]):
            continue
        near = words[max(0, number - _NEAR) : number + _NEAR + 1]
        if _count_found(near, topic) >= _count_needed(topic):
            return True
    return False


def _list_commitments(words: Sequence[str]) -> Iterator[int]:
    """Number the words that commit to something: verbs that lead, and what says it is settled."""
    leading = True
    for number, word in enumerate(words):
        after = words[number + 1] if number + 1 < len(words) else ""
        # "Go to Settings" leads somewhere; it settles nothing.
        leads_there = word == "go" and after in _PLACES
        is_rule = word == "never" and number > 0 and words[number - 1] in _BINDING
        if word in _SETTLED or is_rule or (leading and word in _VERBS and not leads_there):
            yield number
        leading = leading and word in _LEADS


def _is_in_name(sentence: str, word: re.Match[str]) -> bool:
    """Tell whether a word is a part of a name or of code: USE_CACHE=1, use-case, go;ls."""
    around = sentence[word.start() - 1 : word.start()] + sentence[word.end() : word.end() + 1]
    return not _JOINTS.isdisjoint(around)


def _count_found(words: Sequence[str], topic: Sequence[str]) -> int:
    return sum(any(_is_same_word(word, one) for word in words) for one in topic)


def _count_needed(topic: Sequence[str]) -> int:
    return len(topic) if len(topic) < 3 else (2 * len(topic) + 2) // 3


def _is_same_word(word: str, other: str) -> bool:
    """Tell whether two words are one but for their ending."""
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    return len(short) > 3 and long.startswith(short) and len(long) - len(short) <= 3
