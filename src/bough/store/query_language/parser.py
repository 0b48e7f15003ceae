"""Reading a query.

A hand-written descent over characters, because what a mark means depends on where it
stands: people paste code, paths and flags, and `foo(bar)`, `/usr/bin`, `--resume` and
`std::sort` must be words. What is wrong is said with what was wanted, and where.
"""

import re
from datetime import datetime, tzinfo

from bough.store.query_language.ast import (
    FIELDS,
    Field,
    Filter,
    Query,
    QuerySyntaxError,
    Regex,
    Term,
    Text,
    all_of,
    any_of,
    compile_regex,
    negation_of,
)
from bough.store.query_language.dates import moment

# Three marks of FTS5 a level, and its parser holds a hundred.
_DEEPEST = 10
_WHITE = re.compile(r"\s*")
_KEYWORD = re.compile(r"(OR|AND|NOT)(?=[\s()]|\Z)")
_FIELD = re.compile(r"(-?)([A-Za-z]+):")
_TIMES = {"after": "before", "before": "after"}
# Not in --flag, -> and -=.
_NEGATION = re.compile(r"-[^\s>=-]")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"')
_REGEX = re.compile(r"/(?!\s)((?:[^/\\]|\\.)+)/(i?)(?=[\s)]|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\.", re.DOTALL)
# A regex without its closing slash would pass for a path, but no path holds these.
_UNCLOSED_REGEX = re.compile(r"/\S*(?:\\[dswbDSWB.]|\.[*+]|\|)")

# Repetitions that end a group which is repeated itself, and the two that hold all characters
# twice: on an unlucky text Python's re tries all ways to share it out, and nothing stops it.
_ENDLESS = re.compile(
    r"(?<!\\)[+*]\??(?:\\?[^()\\]\?)?\)(?:[+*]|\{\d*,\})|\((?:\?:)?(?:\.\|\\s|\\s\|\.)\)[+*]"
)


def parse(text: str, now: datetime, zone: tzinfo) -> Query:
    """Read a query, its dates as of `now` in `zone`; raises QuerySyntaxError."""
    return _Reader(text, now, zone).query()


class _Reader:
    """A place in the text, and the filters met so far."""

    def __init__(self, text: str, now: datetime, zone: tzinfo) -> None:
        self.text = text
        self.now = now
        self.zone = zone
        self.place = 0
        self.groups = 0
        self.nesting = 0
        self.filters: list[Filter] = []
        self.after: datetime | None = None
        self.before: datetime | None = None

    def query(self) -> Query:
        words = self.all()
        return Query(words, tuple(self.filters), self.after, self.before)

    def all(self) -> Text | None:
        """Read what stands side by side, to the end or to a closing parenthesis."""
        items: list[Text] = []
        met = False
        while not self.at_end():
            if self.takes_keyword("AND"):
                if not met or self.at_end() or self.keyword() in ("AND", "OR"):
                    raise self.wrong("AND wants something on both sides, as in disk AND full.")
                continue
            if self.groups or not self.takes_filter():
                items.append(self.any())
            met = True
        return all_of(items)

    def any(self) -> Text:
        """Read one thing, and what OR joins to it."""
        items = [self.unit()]
        while not self.at_end() and self.takes_keyword("OR"):
            items.append(self.unit())
        return any_of(items)

    def unit(self) -> Text:
        """Read a word, a phrase, a regex, a group, or the negation of one of them."""
        if self.at_end() or self.keyword() in ("AND", "OR"):
            raise self.wrong("OR wants something on both sides, as in timeout OR refused.")
        if self.takes_keyword("NOT"):
            if self.at_end():
                raise self.wrong("NOT wants something after it, as in NOT draft.")
            return negation_of(self.nested_unit())
        if name := self.field():
            raise self.beside_or(name)
        if _NEGATION.match(self.text, self.place):
            self.place += 1
            return negation_of(self.nested_unit())
        return self.plain()

    def nested_unit(self) -> Text:
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise self.wrong(f"Parentheses and negations go {_DEEPEST} deep at most.")
        item = self.unit()
        self.nesting -= 1
        return item

    def plain(self) -> Text:
        match self.text[self.place]:
            case "(":
                return self.group()
            case ")":
                raise self.wrong("This ) closes nothing. In quotes it is text.")
            case '"':
                return self.phrase()
            case "/" if found := _REGEX.match(self.text, self.place):
                return self.regex(found)
            case _:
                return self.word()

    def group(self) -> Text:
        start = self.place
        self.place += 1
        self.groups += 1
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise self.wrong(f"Parentheses and negations go {_DEEPEST} deep at most.")
        inside = self.all()
        if self.place >= len(self.text):
            raise self.wrong("Each ( wants a ). In quotes it is text.", start)
        if inside is None:
            raise self.wrong("Parentheses want words in them, as in (timeout OR refused).")
        self.place += 1
        self.groups -= 1
        self.nesting -= 1
        return inside

    def phrase(self) -> Term:
        start = self.place
        text = self.quoted(start)
        if not text.strip():
            raise self.wrong('A phrase wants words in its quotes, as in "exact words".', start)
        prefix = self.text.startswith("*", self.place)
        self.place += prefix
        return Term(text, prefix)

    def quoted(self, start: int) -> str:
        found = _QUOTED.match(self.text, start)
        if found is None:
            raise self.wrong('A quote wants its closing quote, as in "exact words".', start)
        self.place = found.end()
        return found[1].replace('""', '"')

    def regex(self, found: re.Match[str]) -> Regex:
        pattern = _ESCAPED.sub(lambda pair: "/" if pair[0] == "\\/" else pair[0], found[1])
        try:
            compile_regex(pattern, ignore_case=False)
        except re.error as error:
            at = self.place + 1 + (error.pos or 0)
            raise self.wrong(f"This is no regex: {error.msg}.", at) from error
        except (OverflowError, RecursionError) as error:
            raise self.wrong("This regex is too large.") from error
        if _ENDLESS.search(pattern):
            raise self.wrong(
                "This regex may take for ever: what it repeats is itself a repetition, as in "
                "(a+)+. Repeat once, as in a+."
            )
        self.place = found.end()
        return Regex(pattern, found[2] == "i")

    def word(self) -> Term:
        start = self.place
        if _UNCLOSED_REGEX.match(self.text, start):
            raise self.wrong("A regex ends with a slash, as in /time(out|d out)/.", start)
        self.place = self.run_end(start)
        text = self.text[start : self.place]
        if text == "*":
            raise self.wrong("A * wants the beginning of a word before it, as in check*.", start)
        return Term(text.removesuffix("*"), text.endswith("*"))

    def run_end(self, start: int) -> int:
        """Find where a word ends; parentheses inside it, as in foo(bar), are its own."""
        inner = 0
        for place in range(start, len(self.text)):
            char = self.text[place]
            if char.isspace() or (char == ")" and not inner and self.groups):
                return place
            inner += (char == "(") - (char == ")" and inner > 0)
        return len(self.text)

    def takes_filter(self) -> bool:
        name = self.field()
        if name is None:
            return False
        negated = self.text[self.place] == "-"
        start = self.place
        value_at = start + negated + len(name) + 1
        if self.text.startswith('"', value_at):
            value = self.quoted(value_at).strip()
        else:
            self.place = self.run_end(value_at)
            value = self.text[value_at : self.place]
        if name in _TIMES:
            self.take_time(name, value, value_at, negated=negated)
        else:
            self.take_value(Field(name), value, value_at, negated=negated)
        if not self.at_end() and self.keyword() == "OR":
            raise self.beside_or(name)
        return True

    def take_value(self, field: Field, value: str, at: int, *, negated: bool) -> None:
        rule = FIELDS[field]
        value = value.lower() if rule.choices else value
        if not value or (rule.choices and value not in rule.choices):
            raise self.wrong(f"{field}: wants {rule.wants}.", at)
        wanted = Filter(field, value, negated)
        if wanted not in self.filters:
            self.filters.append(wanted)

    def take_time(self, name: str, value: str, at: int, *, negated: bool) -> None:
        if negated:
            raise self.wrong(f"Instead of -{name}: write {_TIMES[name]}:.", at - len(name) - 2)
        time = moment(value, self.now, self.zone)
        if time is None:
            raise self.wrong(
                f"{name}: wants a date, as in {name}:2026-11-01, {name}:yesterday or {name}:3d.", at
            )
        if name == "after":
            self.after = max(time, self.after or time)
        else:
            self.before = min(time, self.before or time)

    def field(self) -> str | None:
        found = _FIELD.match(self.text, self.place)
        name = found[2].lower() if found else ""
        return name if name in _TIMES or name in FIELDS else None

    def keyword(self) -> str:
        found = _KEYWORD.match(self.text, self.place)
        return found[1] if found else ""

    def takes_keyword(self, wanted: str) -> bool:
        met = self.keyword() == wanted
        self.place += len(wanted) if met else 0
        return met

    def at_end(self) -> bool:
        """Pass over white space, and tell whether the query or the group ends here."""
        white = _WHITE.match(self.text, self.place)
        self.place = white.end() if white else self.place
        rest = self.text[self.place : self.place + 1]
        return not rest or (rest == ")" and self.groups > 0)

    def wrong(self, wants: str, place: int | None = None) -> QuerySyntaxError:
        return QuerySyntaxError(wants, self.place if place is None else place)

    def beside_or(self, name: str) -> QuerySyntaxError:
        return self.wrong(
            f"{name}: stands by itself, outside parentheses and not beside OR. Repeat a filter "
            "to take either value, as in tool:Bash tool:Edit."
        )
