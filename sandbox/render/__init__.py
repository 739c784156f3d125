"""GitHub's JSON, each kind of object in one place. Shapes follow the OpenAPI description of version 2026-03-10."""
