"""GitHub's JSON, each kind of object in one place.

Shapes follow the OpenAPI description of version 2026-03-10 and hold nothing beyond it, so that nobody comes to rely on
what GitHub does not promise; tests/githubkit sees to that.
"""
