"""A team's store: its tables, made and brought up to date by an admin."""

from bough.store.rows import MigrationReport


def init_team(url: str) -> MigrationReport:
    """Make the tables of a team's store in a database that has none.

    Args:
        url: The database, `postgresql://NAME@HOST/DATABASE`, as somebody who may make tables.

    Raises:
        Misuse: It has such tables already, or the URL cannot be read.
        IndexTrouble: The database cannot be reached, or does not allow it.
    """
    from bough.store.postgres.schema_scripts import create_tables  # noqa: PLC0415 - an extra

    return create_tables(url)


def migrate_team(url: str) -> MigrationReport:
    """Bring the tables of a team's store up to date; nothing happens where they are.

    Args:
        url: The database, `postgresql://NAME@HOST/DATABASE`, as somebody who may change tables.

    Raises:
        Misuse: The URL cannot be read.
        IndexTrouble: The database has no such tables, or those of a newer bough, or does not
            allow it.
    """
    from bough.store.postgres.schema_scripts import migrate  # noqa: PLC0415 - an extra

    return migrate(url)
