"""The commands, one module each, named in the table of `bough.cli.main`."""
