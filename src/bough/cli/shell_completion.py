"""Completion in bash, zsh, fish and PowerShell: what may stand where somebody is typing.

The shell runs `bough` with `_BOUGH_COMPLETE` set, at every press of a key. So only the index is
asked, as it is: no file is read, nothing is brought up to date, and where there is no index
nothing of the history is offered. click parses the line; which parameter takes what is in one
table here, by the name of the parameter. What goes wrong offers nothing: a shell is no place for
an error.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    split_arg_string,
)

from bough import library
from bough.backports import override
from bough.cli.options import Globals

if TYPE_CHECKING:
    from bough.library import Catalog

VARIABLE: Final = "_BOUGH_COMPLETE"
_SHORT: Final = 8
_MOST: Final = 500
_LONGEST_HELP: Final = 70
_OPEN: Final = "open"
"""The type of what is not finished, such as `kind:`: no blank comes behind it."""

Offer = Callable[[Globals, str, click.Context], list[CompletionItem]]


# -- what may be typed --------------------------------------------------------------------------


def complete_word(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """List what a parameter may be, by its name, else by its type."""
    offer = _OFFERS.get(param.name or "")
    if offer is None:
        return param.shell_complete(ctx, incomplete)
    items = offer(ctx.ensure_object(Globals), incomplete, ctx)
    # A shell puts an item in place of what was typed, so it has to begin with that.
    begun = incomplete.casefold()
    return [item for item in items if item.value.casefold().startswith(begun)][:_MOST]


@contextmanager
def _open_lists(given: Globals) -> "Iterator[Catalog | None]":
    """Open the index as it is; None where there is none."""
    if not library.index_exists(given.claude_dirs, given.index):
        yield None
        return
    with library.open_catalog(given.claude_dirs, given.index, fresh=False) as found:
        yield found


def _offer_sessions(given: Globals, begun: str, _: click.Context) -> list[CompletionItem]:
    with _open_lists(given) as found:
        rows = found.sessions().rows if found is not None else []
    rows = [row for row in rows if row.deleted_at is None and row.id.startswith(begun.lower())]
    length = max(_SHORT, _find_id_length([row.id for row in rows[:_MOST]]))
    items = [CompletionItem(row.id[:length], help=row.title) for row in rows[:_MOST]]
    return [*items, CompletionItem("latest", help="the last one")]


def _offer_tips(given: Globals, _begun: str, ctx: click.Context) -> list[CompletionItem]:
    """List the tips of the session that is named already, each with what its branch is called."""
    # click leaves the words where they are when the last is an option that lacks its value.
    session = str(ctx.params.get("session") or next(iter(ctx.args), ""))
    with _open_lists(given) as found:
        rows = found.conversations().rows if found is not None and session else []
    own = {row.tip: row.title for row in rows if row.tip and row.session.startswith(session)}
    length = max(_SHORT, _find_id_length(list(own)))
    return [CompletionItem(tip[:length], help=title) for tip, title in own.items()]


def _find_id_length(ids: list[str]) -> int:
    return next((n for n in range(_SHORT, 36) if len({i[:n] for i in ids}) == len(ids)), 36)


def _offer_projects(given: Globals, _begun: str, _: click.Context) -> list[CompletionItem]:
    with _open_lists(given) as found:
        projects = found.projects() if found is not None else []
    names = [one.name for one in projects]
    return [
        CompletionItem(one.name if names.count(one.name) == 1 else one.id, help=one.path or one.id)
        for one in projects
    ]


def _offer_both(given: Globals, begun: str, ctx: click.Context) -> list[CompletionItem]:
    return _offer_projects(given, begun, ctx) + _offer_sessions(given, begun, ctx)


def _offer_query(given: Globals, begun: str, _: click.Context) -> list[CompletionItem]:
    vocabulary = library.Vocabulary()
    if ":" in begun and library.index_exists(given.claude_dirs, given.index):
        with library.open_index(given.claude_dirs, given.index, fresh=False) as handle:
            vocabulary = library.gather_vocabulary(handle)
    made = library.complete_query(begun, len(begun), vocabulary)
    return [
        CompletionItem(
            begun[: made.start] + item.text,
            type=_OPEN if item.text.endswith(":") else "plain",
            help=item.about or None,
        )
        for item in made.items
    ]


def _offer_states(_given: Globals, begun: str, _ctx: click.Context) -> list[CompletionItem]:
    before, comma, _ = begun.rpartition(",")
    return [CompletionItem(f"{before}{comma}{state}") for state in library.SESSION_STATES]


def _offer_models(given: Globals, _begun: str, _: click.Context) -> list[CompletionItem]:
    with _open_lists(given) as found:
        rows = found.sessions().rows if found is not None else []
    models = dict.fromkeys(model for row in rows for model in row.models)
    return [CompletionItem(model) for model in models]


def _offer_branches(given: Globals, _begun: str, _: click.Context) -> list[CompletionItem]:
    with _open_lists(given) as found:
        rows = found.sessions().rows if found is not None else []
    branches = dict.fromkeys(row.git_branch for row in rows if row.git_branch)
    return [CompletionItem(branch) for branch in branches]


def _offer_commands(_given: Globals, _begun: str, ctx: click.Context) -> list[CompletionItem]:
    """List the commands, or those below the ones that are named already."""
    above = ctx.find_root()
    for name in ctx.params.get("names") or ():
        group = above.command
        found = group.get_command(above, name) if isinstance(group, click.Group) else None
        if found is None:
            return []
        above = click.Context(found, info_name=name, parent=above)
    group = above.command
    return group.shell_complete(above, "") if isinstance(group, click.Group) else []


def _offer_pages(_given: Globals, _begun: str, _: click.Context) -> list[CompletionItem]:
    return [CompletionItem(page.name, help=page.title) for page in library.list_guide_pages()]


def _offer_folders(_given: Globals, begun: str, _: click.Context) -> list[CompletionItem]:
    return [CompletionItem(begun, type="dir")]


def _offer_files(_given: Globals, begun: str, _: click.Context) -> list[CompletionItem]:
    return [CompletionItem(begun, type="file")]


_OFFERS: Final[dict[str, Offer]] = {
    "session": _offer_sessions,
    "explain": _offer_sessions,
    "tip": _offer_tips,
    "tip1": _offer_tips,
    "tip2": _offer_tips,
    "project": _offer_projects,
    "projects": _offer_projects,
    "wanted": _offer_both,
    "what": _offer_both,
    "words": _offer_query,
    "names": _offer_commands,
    "page": _offer_pages,
    "states": _offer_states,
    "model": _offer_models,
    "branch": _offer_branches,
    "claude_dir": _offer_folders,
    "keep": _offer_folders,
    "index": _offer_files,
    "place": _offer_files,
}


# -- shells -------------------------------------------------------------------------------------


class HistoryCompletion(ShellComplete):
    """Offers what the index knows, in any shell."""

    @override
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """List what may stand at the cursor; nothing where the line makes no sense."""
        from click.shell_completion import (  # noqa: PLC0415 - click names them so
            _resolve_context,
            _resolve_incomplete,
        )

        try:
            ctx = _resolve_context(self.cli, self.ctx_args, self.prog_name, args)
            found, incomplete = _resolve_incomplete(ctx, args, incomplete)
            if isinstance(found, click.Parameter):
                return complete_word(ctx, found, incomplete)
            return found.shell_complete(ctx, incomplete)
        except Exception:  # noqa: BLE001 - the top of a face; see above
            return []


class BashCompletion(HistoryCompletion, BashComplete):
    """Bash: titles are shown where there are several to choose from."""

    source_template = r"""%(complete_func)s() {
    local IFS=$'\n' line kind value about widest=0
    local -a values=() abouts=() kinds=()
    while IFS=$'\t' read -r kind value about; do
        case $kind in
            dir) compopt -o dirnames; continue ;;
            file) compopt -o default; continue ;;
        esac
        kinds+=("$kind"); values+=("$value"); abouts+=("$about")
        (( ${#value} > widest )) && widest=${#value}
    done < <(COMP_LINE="$COMP_LINE" COMP_POINT="$COMP_POINT" COMP_WORDBREAKS="$COMP_WORDBREAKS" \
%(complete_var)s=bash_complete "$1" 2>/dev/null)
    COMPREPLY=()
    local i
    for i in "${!values[@]}"; do
        if (( ${#values[@]} > 1 )) && [[ $COMP_TYPE != 37 && -n ${abouts[i]} ]]; then
            printf -v line '%%-*s  (%%s)' "$widest" "${values[i]}" "${abouts[i]}"
            COMPREPLY+=("${line:0:${COLUMNS:-80}}")
        else
            COMPREPLY+=("${values[i]}")
        fi
        [[ ${kinds[i]} == open ]] && compopt -o nospace
    done
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    @override
    def get_completion_args(self) -> tuple[list[str], str]:
        """Take the line as it was typed: bash cuts words at colons."""
        return _read_line_before_cursor()

    @override
    def complete(self) -> str:
        """Write an item a line, without what bash takes for earlier words."""
        args, incomplete = self.get_completion_args()
        breaks = os.environ.get("COMP_WORDBREAKS", ":")
        cut = incomplete.rfind(":") + 1 if ":" in breaks else 0
        return "\n".join(
            f"{item.type}\t{item.value[cut:]}\t{_shorten_help(item)}"
            for item in self.get_completions(args, incomplete)
        )

    @override
    def source(self) -> str:
        """Give the script; which bash runs it is no matter of ours."""
        return self.source_template % self.source_vars()


class ZshCompletion(HistoryCompletion, ZshComplete):
    """Zsh: titles stand beside what may be chosen."""

    source_template = r"""#compdef %(prog_name)s

%(complete_func)s() {
    local -a found plain opened
    local kind value about
    (( ! $+commands[%(prog_name)s] )) && return 1
    found=("${(@f)$(env COMP_WORDS="${words[1,CURRENT-1]} ${PREFIX:-\"\"}" \
COMP_CWORD=$((CURRENT-1)) %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)}")
    for kind value about in "${found[@]}"; do
        case $kind in
            dir) _path_files -/ ;;
            file) _path_files ;;
            open) opened+=("${value//:/\\:}:$about") ;;
            *) plain+=("${value//:/\\:}:$about") ;;
        esac
    done
    (( $#plain )) && _describe -V unsorted plain -U
    (( $#opened )) && _describe -V unsorted opened -U -S ''
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""

    @override
    def format_completion(self, item: CompletionItem) -> str:
        """Write an item on three lines: what it is, itself, and about it."""
        return f"{item.type}\n{item.value}\n{_shorten_help(item) or ' '}"


class FishCompletion(HistoryCompletion, FishComplete):
    """Fish: what is about an item may have commas in it, so only the first one parts."""

    source_template = r"""function %(complete_func)s
    set -l found (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp) \
COMP_CWORD=(commandline -t) %(prog_name)s 2>/dev/null)
    for item in $found
        set -l parts (string split -m 1 "," $item)
        switch $parts[1]
            case dir
                __fish_complete_directories $parts[2]
            case file
                __fish_complete_path $parts[2]
            case plain
                echo $parts[2]
        end
    end
end

complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""

    @override
    def format_completion(self, item: CompletionItem) -> str:
        """Write an item on a line: what it is, itself, and about it."""
        kind = "plain" if item.type == _OPEN else item.type
        about = _shorten_help(item)
        return f"{kind},{item.value}\t{about}" if about else f"{kind},{item.value}"


class PowershellCompletion(HistoryCompletion):
    """PowerShell, 5.1 and later."""

    name = "powershell"
    source_template = r"""
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $env:COMP_LINE = $commandAst.ToString().PadRight($cursorPosition)
    $env:COMP_POINT = "$cursorPosition"
    $env:%(complete_var)s = "powershell_complete"
    try {
        %(prog_name)s | ForEach-Object {
            $kind, $value, $about = $_ -split "`t", 3
            if ($kind -in "plain", "open") {
                if (-not $about) { $about = $value }
                [System.Management.Automation.CompletionResult]::new(
                    $value, $value, "ParameterValue", $about)
            }
        }
    } finally {
        Remove-Item Env:COMP_LINE, Env:COMP_POINT, Env:%(complete_var)s
    }
}
"""

    @override
    def get_completion_args(self) -> tuple[list[str], str]:
        """Take the line up to the cursor."""
        return _read_line_before_cursor()

    @override
    def format_completion(self, item: CompletionItem) -> str:
        """Write an item on a line: what it is, itself, and about it."""
        return f"{item.type}\t{item.value}\t{_shorten_help(item)}"


SHELLS: Final[dict[str, type[HistoryCompletion]]] = {
    "bash": BashCompletion,
    "zsh": ZshCompletion,
    "fish": FishCompletion,
    "powershell": PowershellCompletion,
}


def write_script(group: click.Command, shell: str) -> str:
    """Give the script that teaches a shell to complete the words of `bough`."""
    return SHELLS[shell](group, {}, "bough", VARIABLE).source()


def write_completions(group: click.Command, instruction: str) -> str:
    """Answer a shell: `bash_complete` and the like; nothing where it is no such."""
    shell, _, action = instruction.partition("_")
    if shell not in SHELLS or action not in ("complete", "source"):
        return ""
    completion = SHELLS[shell](group, {}, "bough", VARIABLE)
    return completion.source() if action == "source" else completion.complete()


def _read_line_before_cursor() -> tuple[list[str], str]:
    """Give the whole words of the line that was typed, and the one that is being typed."""
    line = os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])]
    words = split_arg_string(line)[1:]
    incomplete = "" if not words or line[-1:].isspace() else words.pop()
    return words, incomplete


def _shorten_help(item: CompletionItem) -> str:
    """Give what is said about an item, on one line and short enough for a list."""
    words = " ".join(str(item.help or "").split())
    return words if len(words) <= _LONGEST_HELP else f"{words[: _LONGEST_HELP - 1].rstrip()}…"
