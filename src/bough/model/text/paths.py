"""Paths inside records: they may come from any system, and are data."""


def name_of(path: str) -> str:
    """Give the last part of a path of any system."""
    windows = "\\" in path and not path.startswith("/")
    parts = path.replace("\\", "/") if windows else path
    return parts.rstrip("/").rpartition("/")[2] or path
