"""The client's settings files: which there are, and their text edited in place.

A person writes these files, with comments and in an order, so an edit changes the few
characters it must and leaves the rest as it is; what cannot be read as JSON (comments and commas
before a bracket aside) is not edited. Nothing here touches a disk but to see where a name leads.
"""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from bough.errors import Misuse

NAMES = ("settings.json", "settings.local.json")
"""The only files of settings that bough ever writes."""

HOOKS = "hooks"
"""What the client calls its hooks, in settings and in each group of them."""
_LOCAL = "settings.local.json"
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PLAIN = re.compile(r"[^\s,\[\]{}\"/]+")


class SettingsEdit(Struct, frozen=True, omit_defaults=True):
    """An edit of a settings file: its name, the setting, and its values as JSON.

    `path` may be a link; what is written is the file it leads to. `before` is empty where the
    setting was not there, `after` where it goes.
    """

    path: str
    setting: str
    before: str = ""
    after: str = ""

    @property
    def target(self) -> str:
        """Name the file that is written."""
        return str(Path(self.path).resolve())

    @property
    def is_link(self) -> bool:
        """Tell whether the name is a link, or lies below one."""
        return Path(self.path).is_symlink()


class _Entry(Struct, frozen=True):
    """A member of an object, or an item of an array: where it begins, and where its value is."""

    key: str | None
    start: int
    value: int
    end: int


class _Container(Struct, frozen=True):
    """An object or an array: its entries, where it begins and ends, whether a comma ends it."""

    start: int
    close: int
    entries: tuple[_Entry, ...]
    has_last_comma: bool = False


def is_settings_path(path: Path, claude_dir: Path) -> bool:
    """Tell whether a file is one of settings: of a Claude folder, or a project's local ones."""
    if path.name not in NAMES:
        return False
    folder = path.parent
    return folder.resolve() == claude_dir.resolve() or (
        path.name == _LOCAL and folder.name == ".claude"
    )


def read_settings_text(text: str, path: str) -> dict[str, object]:
    """Read settings as the client does.

    Raises:
        Misuse: They are no object of JSON.
    """
    try:
        if not text.strip("\ufeff \t\r\n"):
            return {}
        _scan_whole(text)
        return msgspec.json.decode(_strip_comments(text), type=dict[str, object])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Misuse(f"{path} is not a JSON object ({error}). Correct it first.") from error


def find_settings_problem(edit: SettingsEdit, data: bytes | None) -> str | None:
    """Say why a written file does not hold what was meant; None where it does."""
    if data is None:
        return "the file is gone" if edit.after else None
    found = read_settings_text(data.decode("utf-8"), edit.path)
    wanted = msgspec.json.decode(edit.after) if edit.after else None
    return None if found.get(edit.setting) == wanted else f"{edit.setting} is another"


def find_setting_text(text: str, name: str) -> str:
    """Give the value of a setting as JSON without comments; empty where it is not set."""
    entry = _find_entry(_scan_whole(text), name)
    if entry is None:
        return ""
    plain = _copy_plain(text[entry.value : entry.end], 0)
    return msgspec.json.format(plain.encode(), indent=0).decode()


def set_setting_text(text: str, name: str, value: str) -> str:
    """Give the text with a setting set, where it stands or behind the last one."""
    if not text.strip("\ufeff \t\r\n"):
        text = text.rstrip() + "{}\n"
    whole = _scan_whole(text)
    if entry := _find_entry(whole, name):
        return text[: entry.value] + value + text[entry.end :]
    key = msgspec.json.encode(name).decode()
    return _add_entry(text, whole, f"{key}: {value}")


def remove_setting_text(text: str, name: str) -> str:
    """Give the text without a setting; all else stays as it is."""
    whole = _scan_whole(text)
    while entry := _find_entry(whole, name):
        text = _drop_entry(text, whole, entry)
        whole = _scan_whole(text)
    return text


def add_hook_text(text: str, event: str, group: str) -> str:
    """Give the text with one more group of hooks for an event, behind those that are there.

    Raises:
        ValueError: What is there is no list of groups.
    """
    key = msgspec.json.encode(event).decode()
    if not text.strip("\ufeff \t\r\n") or not find_setting_text(text, HOOKS):
        text = set_setting_text(text, HOOKS, "{}")
    events = _enter(text, _find_entry(_scan_whole(text), HOOKS), "{")
    member = _find_entry(events, event)
    if member is None:
        return _add_entry(text, events, f"{key}: [{group}]")
    return _add_entry(text, _enter(text, member, "["), group)


def remove_hooks_text(text: str, is_own: Callable[[str], bool]) -> str:
    """Give the text without the hooks whose command is our own, and without what they leave empty.

    Raises:
        ValueError: What is there is no list of groups.
    """
    while found := _find_own_hook(text, is_own):
        text = _drop_entry(text, *found)
    return text


def _find_own_hook(text: str, is_own: Callable[[str], bool]) -> tuple[_Container, _Entry] | None:
    """Find the next thing that goes: a hook, or the group, the event or the setting it fills."""
    whole = _scan_whole(text)
    setting = _find_entry(whole, HOOKS)
    if setting is None:
        return None
    events = _enter(text, setting, "{")
    for event in events.entries:
        groups = _enter(text, event, "[")
        for group in groups.entries:
            inner = _find_entry(_enter(text, group, "{"), HOOKS)
            hooks = _enter(text, inner, "[")
            own = [one for one in hooks.entries if is_own(_read_command(text, one))]
            if not own:
                continue
            outwards = ((hooks, own[0]), (groups, group), (events, event), (whole, setting))
            filled = [len(own) == len(hooks.entries), len(groups.entries) == 1]
            filled.append(len(events.entries) == 1)
            depth = next((at for at, full in enumerate(filled) if not full), len(filled))
            return outwards[depth]
    return None


def _read_command(text: str, entry: _Entry) -> str:
    plain = _copy_plain(text[entry.value : entry.end], 0)
    found = msgspec.json.decode(plain)
    command = found.get("command") if isinstance(found, dict) else None
    return command if isinstance(command, str) else ""


def _enter(text: str, entry: _Entry | None, bracket: str) -> _Container:
    """Scan the value of an entry, which must begin with a bracket."""
    if entry is None or text[entry.value] != bracket:
        raise ValueError(f"{HOOKS} are not written as the client reads them")
    return _scan(text, entry.value)


def _find_entry(container: _Container, name: str) -> _Entry | None:
    """Find a member; of several of one name the last one counts."""
    return next((one for one in reversed(container.entries) if one.key == name), None)


def _add_entry(text: str, container: _Container, entry: str) -> str:
    """Add an entry behind the last one, indented as that is."""
    newline = "\r\n" if "\r\n" in text else "\n"
    inside = text[container.start + 1 : container.close]
    if not container.entries:
        lead = _indent_of(text, container.start)
        step = "\t" if lead.startswith("\t") else "  "
        kept = inside.rstrip()
        end = f"{newline}{lead}"
        return (
            text[: container.start + 1]
            + f"{kept}{newline}{lead}{step}{entry}{end}"
            + text[container.close :]
        )
    last = container.entries[-1]
    body = container.start + 1 + len(inside.rstrip())
    comma = "" if container.has_last_comma else ","
    after = "," if container.has_last_comma else ""
    between = " "
    if "\n" in text[container.start : container.entries[0].start] or "//" in text[last.end : body]:
        between = newline + _indent_of(text, container.entries[0].start)
    head = text[: last.end] + comma + text[last.end : body]
    return f"{head}{between}{entry}{after}{text[body:]}"


def _drop_entry(text: str, container: _Container, entry: _Entry) -> str:
    """Take an entry out, with one comma and the white space before it."""
    at = container.entries.index(entry)
    start = len(text[: entry.start].rstrip())
    if at + 1 < len(container.entries) or container.has_last_comma:
        comma = text.index(",", _skip(text, entry.end))
        return text[:start] + text[comma + 1 :]
    if at == 0:
        rest = text[entry.end :]
        empty = (
            not text[container.start + 1 : start].strip()
            and not rest[: container.close - entry.end].strip()
        )
        return (
            text[: container.start + 1] + text[container.close :] if empty else text[:start] + rest
        )
    before = container.entries[at - 1].end
    comma = text.index(",", _skip(text, before))
    return text[:comma] + text[comma + 1 : start] + text[entry.end :]


def _indent_of(text: str, place: int) -> str:
    """Give the white space that begins the line of a place."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _scan_whole(text: str) -> _Container:
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if text[start : start + 1] != "{":
        raise ValueError("it does not begin with a brace")
    return _scan(text, start)


def _scan(text: str, start: int) -> _Container:
    """List the entries of the object or the array that begins at a place."""
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    entries: list[_Entry] = []
    place, comma = _skip(text, start + 1), False
    while text[place : place + 1] != closing:
        begin, key = place, None
        if is_object:
            found = _STRING.match(text, place)
            if found is None:
                raise ValueError(f"a name is missing at character {place}")
            key = msgspec.json.decode(found[0], type=str)
            place = _skip(text, found.end())
            if text[place : place + 1] != ":":
                raise ValueError(f"a colon is missing at character {place}")
            place = _skip(text, place + 1)
        end = _find_value_end(text, place)
        entries.append(_Entry(key, begin, place, end))
        place = _skip(text, end)
        comma = text[place : place + 1] == ","
        if comma:
            place = _skip(text, place + 1)
        elif text[place : place + 1] != closing:
            raise ValueError(f"a comma is missing at character {place}")
    return _Container(start, place, tuple(entries), comma)


def _find_value_end(text: str, place: int) -> int:
    if text[place : place + 1] in ("{", "["):
        return _scan(text, place).close + 1
    found = _STRING.match(text, place) or _PLAIN.match(text, place)
    if found is None:
        raise ValueError(f"a value is missing at character {place}")
    return found.end()


def _skip(text: str, place: int) -> int:
    """Go past white space and comments."""
    found = _SPACE.match(text, place)
    return found.end() if found else place


def _strip_comments(text: str) -> str:
    """Write JSON without what only people read: comments, and commas before a bracket."""
    return _copy_plain(text, 1 if text.startswith("\ufeff") else 0)


def _copy_plain(text: str, start: int) -> str:
    pieces: list[str] = []
    place = _skip(text, start)
    while place < len(text):
        found = _STRING.match(text, place) or _PLAIN.match(text, place)
        end = found.end() if found else place + 1
        piece = text[place:end]
        if piece in ("}", "]") and pieces and pieces[-1] == ",":
            pieces.pop()
        pieces.append(piece)
        place = _skip(text, end)
    return " ".join(pieces)
