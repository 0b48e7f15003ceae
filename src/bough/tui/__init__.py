"""The terminal app: browse, read, search, watch and travel, by keys or by mouse.

Everything shown comes from the library. What a record means is decided in `bough.model`;
here it is only laid out. Disk and index are asked in threads (`data`), so no key waits.
"""
