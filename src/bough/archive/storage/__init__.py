"""The form of an archive: frames in files, the catalog, the one writer, sources that read them."""
