"""Pencils Down: the time, the lock, the evidence. See docs/design.md."""
