"""What `import bough` offers: the library behind every face.

```python
import bough

for project in bough.projects():
    print(project.name, project.sessions)
session = bough.read_session("latest")
for message in session.conversation().messages:
    print(message.kind, message.text)
```

What a command does is one call here: `bough search` is `bough.search`. docs/library.md
describes every name. Those that `bough` itself exports are for users; the rest serves the
faces, which import nothing of the stages below (a contract holds that).

A name is fetched from its module on first use, so that a question loads only what answers
it. The functions stand in `bough.library.*_functions`, the types where they are made. Which
names there are says `name_table`; `__init__.pyi` says the same to type checkers and is written
from it by `scripts/library_stub.py`.
"""

from importlib import import_module
from typing import Final

from bough.library.name_table import NAMES_BY_MODULE

_MODULES: Final = {
    name: module for module, names in NAMES_BY_MODULE.items() for name in names.split()
}
__all__ = [*_MODULES]  # noqa: PLE0604 - names are strings


def __getattr__(name: str) -> object:
    """Fetch a name from its module the first time it is asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module 'bough.library' has no attribute {name!r}")
    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the names, fetched or not."""
    return sorted({*globals(), *__all__})
