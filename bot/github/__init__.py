"""The only room with GitHub's addresses: reads, behind one gate the writes (docs/design.md sections 2, 5, 6, 14)."""
