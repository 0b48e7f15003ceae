"""What goes over the wire: structs that the page knows by the same names."""
