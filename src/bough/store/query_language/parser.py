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
    TextQuery,
    all_of,
    any_of,
    compile_regex,
    negation_of,
)
from bough.store.query_language.dates import parse_moment

# Three marks of FTS5 a level, and its parser holds a hundred.
_DEEPEST = 10
# Reading a pattern takes time too: half a second for so many of the worst sets of characters.
_LONGEST_REGEX = 1_000
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
    return _Parser(text, now, zone).query()


class _Parser:
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
        words = self.parse_all()
        return Query(words, tuple(self.filters), self.after, self.before)

    def parse_all(self) -> TextQuery | None:
        """Read what stands side by side, to the end or to a closing parenthesis."""
        items: list[TextQuery] = []
        met = False
        while not self.is_at_end():
            if self.take_keyword("AND"):
                if not met or self.is_at_end() or self.peek_keyword() in ("AND", "OR"):
                    raise self.make_error("AND wants something on both sides, as in disk AND full.")
                continue
            if self.groups or not self.take_filter():
                items.append(self.parse_any())
            met = True
        return all_of(items)

    def parse_any(self) -> TextQuery:
        """Read one thing, and what OR joins to it."""
        items = [self.parse_unit()]
        while not self.is_at_end() and self.take_keyword("OR"):
            items.append(self.parse_unit())
        return any_of(items)

    def parse_unit(self) -> TextQuery:
        """Read a word, a phrase, a regex, a group, or the negation of one of them."""
        if self.is_at_end() or self.peek_keyword() in ("AND", "OR"):
            raise self.make_error("OR wants something on both sides, as in timeout OR refused.")
        if self.take_keyword("NOT"):
            if self.is_at_end():
                raise self.make_error("NOT wants something after it, as in NOT draft.")
            return negation_of(self.parse_nested_unit())
        if name := self.parse_field():
            raise self.make_or_error(name)
        if _NEGATION.match(self.text, self.place):
            self.place += 1
            return negation_of(self.parse_nested_unit())
        return self.parse_plain()

    def parse_nested_unit(self) -> TextQuery:
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise self.make_error(f"Parentheses and negations go {_DEEPEST} deep at most.")
        item = self.parse_unit()
        self.nesting -= 1
        return item

    def parse_plain(self) -> TextQuery:
        match self.text[self.place]:
            case "(":
                return self.parse_group()
            case ")":
                raise self.make_error("This ) closes nothing. In quotes it is text.")
            case '"':
                return self.parse_phrase()
            case "/" if found := _REGEX.match(self.text, self.place):
                return self.parse_regex(found)
            case _:
                return self.parse_word()

    def parse_group(self) -> TextQuery:
        start = self.place
        self.place += 1
        self.groups += 1
        self.nesting += 1
        if self.nesting > _DEEPEST:
            raise self.make_error(f"Parentheses and negations go {_DEEPEST} deep at most.")
        inside = self.parse_all()
        if self.place >= len(self.text):
            raise self.make_error("Each ( wants a ). In quotes it is text.", start)
        if inside is None:
            raise self.make_error("Parentheses want words in them, as in (timeout OR refused).")
        self.place += 1
        self.groups -= 1
        self.nesting -= 1
        return inside

    def parse_phrase(self) -> Term:
        start = self.place
        text = self.parse_quoted(start)
        if not text.strip():
            raise self.make_error('A phrase wants words in its quotes, as in "exact words".', start)
        prefix = self.text.startswith("*", self.place)
        self.place += prefix
        return Term(text, prefix)

    def parse_quoted(self, start: int) -> str:
        found = _QUOTED.match(self.text, start)
        if found is None:
            raise self.make_error('A quote wants its closing quote, as in "exact words".', start)
        self.place = found.end()
        return found[1].replace('""', '"')

    def parse_regex(self, found: re.Match[str]) -> Regex:
        pattern = _ESCAPED.sub(lambda pair: "/" if pair[0] == "\\/" else pair[0], found[1])
        if len(pattern) > _LONGEST_REGEX:
            raise self.make_error(f"A regex has {_LONGEST_REGEX:,} characters at most.")
        try:
            compile_regex(pattern, ignore_case=False)
        except re.error as error:
            at = self.place + 1 + (error.pos or 0)
            raise self.make_error(f"This is not a regular expression: {error.msg}.", at) from error
        except (OverflowError, RecursionError) as error:
            raise self.make_error("This regex is too large.") from error
        if _ENDLESS.search(pattern):
            raise self.make_error(
                "This regex may take for ever: what it repeats is itself a repetition, as in "
                "(a+)+. Repeat once, as in a+."
            )
        self.place = found.end()
        return Regex(pattern, found[2] == "i")

    def parse_word(self) -> Term:
        start = self.place
        if _UNCLOSED_REGEX.match(self.text, start):
            raise self.make_error("A regex ends with a slash, as in /time(out|d out)/.", start)
        self.place = self.find_word_end(start)
        text = self.text[start : self.place]
        if text == "*":
            raise self.make_error(
                "A * wants the beginning of a word before it, as in check*.", start
            )
        return Term(text.removesuffix("*"), text.endswith("*"))

    def find_word_end(self, start: int) -> int:
        """Find where a word ends; parentheses inside it, as in foo(bar), are its own."""
        inner = 0
        for place in range(start, len(self.text)):
            char = self.text[place]
            if char.isspace() or (char == ")" and not inner and self.groups):
                return place
            inner += (char == "(") - (char == ")" and inner > 0)
        return len(self.text)

    def take_filter(self) -> bool:
        name = self.parse_field()
        if name is None:
            return False
        negated = self.text[self.place] == "-"
        start = self.place
        value_at = start + negated + len(name) + 1
        if self.text.startswith('"', value_at):
            value = self.parse_quoted(value_at).strip()
        else:
            self.place = self.find_word_end(value_at)
            value = self.text[value_at : self.place]
        if name in _TIMES:
            self.take_time(name, value, value_at, negated=negated)
        else:
            self.take_value(Field(name), value, value_at, negated=negated)
        if not self.is_at_end() and self.peek_keyword() == "OR":
            raise self.make_or_error(name)
        return True

    def take_value(self, field: Field, value: str, at: int, *, negated: bool) -> None:
        rule = FIELDS[field]
        value = value.lower() if rule.choices else value
        if not value or (rule.choices and value not in rule.choices):
            raise self.make_error(f"{field}: wants {rule.wants}.", at)
        wanted = Filter(field, value, negated)
        if wanted not in self.filters:
            self.filters.append(wanted)

    def take_time(self, name: str, value: str, at: int, *, negated: bool) -> None:
        if negated:
            raise self.make_error(f"Instead of -{name}: write {_TIMES[name]}:.", at - len(name) - 2)
        time = parse_moment(value, self.now, self.zone)
        if time is None:
            raise self.make_error(
                f"{name}: wants a date, as in {name}:2026-11-01, {name}:yesterday or {name}:3d.", at
            )
        if name == "after":
            self.after = max(time, self.after or time)
        else:
            self.before = min(time, self.before or time)

    def parse_field(self) -> str | None:
        found = _FIELD.match(self.text, self.place)
        name = found[2].lower() if found else ""
        return name if name in _TIMES or name in FIELDS else None

    def peek_keyword(self) -> str:
        found = _KEYWORD.match(self.text, self.place)
        return found[1] if found else ""

    def take_keyword(self, wanted: str) -> bool:
        met = self.peek_keyword() == wanted
        self.place += len(wanted) if met else 0
        return met

    def is_at_end(self) -> bool:
        """Pass over white space, and tell whether the query or the group ends here."""
        white = _WHITE.match(self.text, self.place)
        self.place = white.end() if white else self.place
        rest = self.text[self.place : self.place + 1]
        return not rest or (rest == ")" and self.groups > 0)

    def make_error(self, wants: str, place: int | None = None) -> QuerySyntaxError:
        return QuerySyntaxError(wants, self.place if place is None else place)

    def make_or_error(self, name: str) -> QuerySyntaxError:
        return self.make_error(
            f"{name}: stands by itself, outside parentheses and not beside OR. Repeat a filter "
            "to take either value, as in tool:Bash tool:Edit."
        )
