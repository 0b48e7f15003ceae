import re
import tomllib
from pathlib import Path


def test_every_make_target_is_in_the_table(root: Path) -> None:
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    guide = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.* ## ", makefile, re.MULTILINE))

    assert targets == set(re.findall(r"`make ([a-z-]+)` \|", guide))


def test_every_folder_of_the_package_is_on_the_map(root: Path) -> None:
    guide = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    package = root / "src" / "bough"
    folders = {
        path.parent.relative_to(package).as_posix() for path in package.glob("**/__init__.py")
    } - {"."}
    listed = re.findall(r"^\| `src/bough/([a-z_/]+)/` \| \S", guide, re.MULTILINE)

    assert sorted(listed) == sorted(folders)


def test_the_order_of_the_stages_is_the_one_that_is_checked(root: Path) -> None:
    guide = " ".join((root / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    layers, *_ = project["tool"]["importlinter"]["contracts"]

    assert f"Imports go downwards only**: `{' > '.join(layers['layers'])}`." in guide


def test_links_between_our_documents_lead_somewhere(root: Path) -> None:
    for document in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).exists(), f"{document.name} links to {link}"
