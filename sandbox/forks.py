"""Forks, as far as the repository they come from sees of them: by the runs of their pull requests."""

from typing import TYPE_CHECKING

from sandbox import actions
from sandbox.git import BRANCH
from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.organisation import Organisation
    from sandbox.repository import Repository


def fork(repo: "Repository", into: "Organisation", name: str | None = None) -> "Repository":
    """Another repository with the same branches, under the same name if no other is given."""
    made = into.repository(name or repo.name, private=repo.private, default_branch=repo.default_branch)
    made.is_fork = True
    made.git.commits = dict(repo.git.commits)
    made.git.refs = {ref: sha for ref, sha in repo.git.refs.items() if ref.startswith(BRANCH)}
    made.git.trees = set(repo.git.trees)
    made.activity.clear()
    return made


def pull_request(repo: "Repository", user: User, out_of: "Repository", branch: str | None = None) -> list[actions.Run]:
    """Open one, of a fork's branch (its default one), and return the runs. Raises ValueError if it starts none."""
    runs = actions.start_for_pull_request(repo, out_of, branch or out_of.default_branch, user)
    if not runs:
        raise ValueError(f"no workflow of {repo.full_name} has pull_request in `on`")
    return runs
