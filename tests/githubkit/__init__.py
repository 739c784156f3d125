"""GitHub's own description of its API, by way of githubkit: the second opinion on the sandbox and on the bot.

githubkit's models ignore what they do not know, so a misspelt field would pass unseen. They are told to refuse it here,
before any of them is made; those whose schema is open in GitHub's description stay open.
"""

from githubkit.compat import GitHubModel

GitHubModel.model_config["extra"] = "forbid"
