"""The sandbox imitates GitHub truthfully: each behaviour the service leans on, seen from outside."""
