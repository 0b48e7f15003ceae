"""The command line: one face of the library.

`main` holds the frame and the table of commands; `commands/` holds one module per command,
loaded when it is called. Only `output` prints.
"""
