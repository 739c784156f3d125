"""The long stories use the same course as the short ones."""

from tests.flows.conftest import course

__all__ = ["course"]
