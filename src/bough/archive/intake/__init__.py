"""What goes into an archive, and when: sessions with their companions, asked for or by itself."""
