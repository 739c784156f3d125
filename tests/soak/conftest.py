"""The long stories use the same course as the short ones."""

from tests.flows.conftest import course, pair

__all__ = ["course", "pair"]
