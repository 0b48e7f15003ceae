"""Which repository a folder is of: the address of its remote, the same on every machine.

    git@github.com:acme/shop.git, https://ann:token@github.com/acme/shop   ->   github.com/acme/shop

User names and passwords never leave with it, and neither does a remote that is a folder of this
machine.
"""

import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from bough.files.regular_file import open_regular
from bough.files.worktrees import repository_of

_LONGEST_CONFIG: Final = 1 << 20
_SECTION: Final = re.compile(r'\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]', re.IGNORECASE)
_URL: Final = re.compile(r'\s*url\s*=\s*"?([^"#;]*)', re.IGNORECASE)
_SCP: Final = re.compile(r"(?:[^@/\s]+@)?(\[[^\]]+\]|[^:/\s\\]{2,}):(?!//)(.+)")
_ORIGIN: Final = "origin"


def find_repository(folder: str | None) -> str | None:
    """Find the address of the repository that a folder belongs to; None where nothing tells."""
    if folder is None or folder.startswith(("\\\\", "//")) or not Path(folder).is_absolute():
        return None
    place = Path(repository_of(folder) or folder)
    try:
        found = next((one for one in (place, *place.parents) if (one / ".git").is_dir()), None)
        if found is None:
            return None
        with open_regular(found / ".git" / "config") as file:
            text = (file.read(_LONGEST_CONFIG) or b"").decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
    remotes = read_remotes(text)
    wanted = remotes.get(_ORIGIN) or next(iter(remotes.values()), None)
    return None if wanted is None else normalise_remote(wanted)


def read_remotes(config: str) -> dict[str, str]:
    """Read the first address of each remote from the text of a `.git/config`."""
    remotes: dict[str, str] = {}
    name: str | None = None
    for line in config.splitlines():
        if line.lstrip().startswith("["):
            section = _SECTION.match(line.strip())
            name = section[1] if section else None
        elif name is not None and (match := _URL.match(line)):
            remotes.setdefault(name, match[1].strip())
    return remotes


def normalise_remote(url: str) -> str | None:
    """Write the address of a remote as host and path; None where it is no other machine's."""
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, path, port = parts.hostname, parts.path, parts.port
        except ValueError:
            return None
        if parts.scheme == "file" or not host:
            return None
        host = f"{host}:{port}" if port not in (None, 22, 80, 443, 9418) else host
    elif match := _SCP.fullmatch(url):
        host, path = match[1].strip("[]"), match[2]
    else:
        return None
    path = path.strip("/").removesuffix(".git").strip("/")
    return f"{host.lower()}/{path}" if path else None
