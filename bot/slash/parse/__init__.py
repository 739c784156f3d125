"""From a comment's Markdown to commands with their words and options (docs/design.md section 11). Pure."""
