"""What is carried elsewhere: files of the archive, and all of bough's own data in one file."""
