"""What is served besides pages: files, components' code; turns at them; several workers."""
