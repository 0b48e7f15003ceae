"""The status line as a shell script, for machines on which every program starts slowly.

It has the same parts in ASCII, reads the same cache and starts nothing but what a shell has, so
it neither renews the cache nor keeps limits.
"""

from shlex import quote

from bough.status_line.number_cache import SHOWN_SECONDS, find_cache_path

_SCRIPT = r"""#!/bin/sh
# Written by: bough statusline --print-sh
cache=CACHE
input=$(LC_ALL=C head -c 65536 | LC_ALL=C tr -cd '\040-\176')
numbers=
[ -r "$cache" ] && numbers=$(LC_ALL=C head -c 4096 "$cache" | LC_ALL=C tr -cd '\040-\176')

# Sets `value` to a text or a number that stands in $2 behind the name $1.
find_value() {
    value=${2#*\"$1\":}
    if [ "$value" = "$2" ]; then value=; return; fi
    value=${value# }
    case $value in
        \"*) value=${value#\"}; value=${value%%\"*} ;;
        *) value=${value%%[,\}]*} ;;
    esac
    case $value in null) value= ;; esac
}

# Adds a part to the line.
add() { if [ -n "$line" ]; then line="$line - $1"; else line=$1; fi; }

line=
find_value project_dir "$input"; [ -n "$value" ] || find_value cwd "$input"
value=${value%/}; [ -n "$value" ] && add "${value##*/}"
find_value display_name "$input"; [ -n "$value" ] && add "$value"
find_value used_percentage "${input#*\"context_window\"}"
[ -n "$value" ] && add "${value%%.*}% ctx"
find_value total_cost_usd "$input"; [ -n "$value" ] && add "$(printf '$%.2f' "$value")"

find_value at "$numbers"
if [ -n "$value" ] && [ $(( $(date +%s) - ${value%%.*} )) -le SHOWN ]; then
    find_value day "$numbers"; [ -n "$value" ] && add "$(printf 'day $%.2f' "$value")"
    find_value waits "$numbers"; waits=${value:-0}
    find_value session_id "$input"
    if [ -n "$value" ]; then
        case $numbers in *"\"$value\""*) waits=$((waits - 1)) ;; esac
    fi
    [ "$waits" -gt 0 ] && add "! $waits waiting elsewhere"
fi
printf '%s\n' "${line:-bough}"
exit 0
"""


def write_script(folder: str) -> str:
    """Write the script for the sessions of a Claude folder."""
    cache = quote(find_cache_path(folder) or "/dev/null")
    return _SCRIPT.replace("CACHE", cache).replace("SHOWN", str(SHOWN_SECONDS))
