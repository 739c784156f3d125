"""What the demo proves, promise by promise, from the evidence alone.

Where the service was killed on the way, what follows from its absence is shown and not promised: how late a lock was,
how many calls it took, and reviews that nobody can confirm. Nothing else changes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sandbox.demo.evidence import Evidence

MOST_LATE = timedelta(seconds=2)
MOST_LOCK_CALLS = 4
LOCKED_BY = {"branch", "tag"}


@dataclass(frozen=True, slots=True)
class Promise:
    """A claim, what was found, and whether it holds."""

    claim: str
    found: str
    held: bool


def prove(evidence: Evidence) -> list[Promise]:
    """Every promise."""
    return [
        closed(evidence),
        not_early(evidence),
        *in_time(evidence),
        few_calls(evidence),
        refused(evidence),
        frozen(evidence),
        reviewed(evidence),
        right_commit(evidence),
        confirmed(evidence),
        judged(evidence),
        shown(evidence),
        nothing_twice(evidence),
        imitated(evidence),
    ]


def closed(evidence: Evidence) -> Promise:
    """GitHub itself would refuse every student a push."""
    count = sum(not one["open"] for one in evidence.repositories)
    return Promise("Every repository is closed on GitHub", f"{count}/{evidence.students}", count == evidence.students)


def locked_at(evidence: Evidence) -> dict[int, datetime]:
    """When each repository was closed by both rulesets of the pair for the first time."""
    first: dict[int, dict[str, datetime]] = {}
    for effect in evidence.effects:
        first.setdefault(effect.repository_id, {}).setdefault(effect.target, effect.at)
    return {repository_id: max(at.values()) for repository_id, at in first.items() if set(at) == LOCKED_BY}


def not_early(evidence: Evidence) -> Promise:
    """Not a millisecond of anybody's time was taken."""
    early = [effect for effect in evidence.effects if effect.at < evidence.deadline_of[effect.repository_id]]
    return Promise("No lock before its deadline", f"{len(early)} early", not early)


def in_time(evidence: Evidence) -> list[Promise]:
    """The latest lock, of the project and of the one with more time."""
    late = {one: at - evidence.deadline_of[one] for one, at in locked_at(evidence).items()}
    own = late.pop(evidence.extended_id, None)
    project = max(late.values(), default=None)
    return [
        _in_time(evidence, "Locks at most 2 s after the deadline", project),
        _in_time(evidence, "The extended one at its own deadline", own),
    ]


def _in_time(evidence: Evidence, claim: str, late: timedelta | None) -> Promise:
    if late is None:
        return Promise(claim, "never closed", False)
    found = f"latest {late / timedelta(milliseconds=1):.0f} ms after"
    if late > MOST_LATE and evidence.deaths:
        return Promise(claim, f"{found} (the service was killed)", True)
    return Promise(claim, found, late <= MOST_LATE)


def few_calls(evidence: Evidence) -> Promise:
    """One call closes any number of repositories."""
    count = len(evidence.lock_calls)
    found = f"{count} calls that change something"
    return Promise("At most 4 calls for all locks", found, count <= MOST_LOCK_CALLS or evidence.deaths > 0)


def refused(evidence: Evidence) -> Promise:
    """Whoever pushed after the deadline met the lock, and left no receipt."""
    by_lock = sum(bool(one["violations"]) for one in evidence.refused)
    held = by_lock == len(evidence.refused) == evidence.late_tries
    return Promise("Late pushes are refused by the lock", f"{by_lock} of {evidence.late_tries}, all GH013", held)


def frozen(evidence: Evidence) -> Promise:
    """What counts is settled, and not before the grace was over."""
    count = sum(bool(part.frozen_at and part.after_grace) for part in evidence.parts)
    held = count == len(evidence.parts) == evidence.students
    return Promise("Frozen once deadline and grace are over", f"{count}/{evidence.students}", held)


def reviewed(evidence: Evidence) -> Promise:
    """GitHub was asked exactly once for each submission, and for nothing else; a killed call stays unconfirmed."""
    unconfirmed = {review.repository_id for review in evidence.reviews if not review.confirmed}
    asked = Counter(one["repository_id"] for one in evidence.dispatches)
    wanted = set(evidence.submissions)
    held = (
        set(asked) <= wanted <= set(asked) | unconfirmed
        and set(asked.values()) <= {1}
        and Counter(review.repository_id for review in evidence.reviews) == Counter(wanted)
    )
    without = evidence.students - len(wanted)
    found = f"{asked.total()} for {len(wanted)} submissions, none for {without} without"
    return Promise("One review for each submission", found, held)


def right_commit(evidence: Evidence) -> Promise:
    """The commit that counts is the last one pushed in time."""
    wanted = evidence.submissions
    counted = {part.repository_id: part.submission_sha for part in evidence.parts if part.submission_sha}
    asked = [(one["repository_id"], one["client_payload"]["sha"]) for one in evidence.dispatches]
    right = sum(wanted.get(repository_id) == sha for repository_id, sha in asked)
    found = f"{right}/{len(asked)} reviews, {len(counted)} submissions"
    return Promise("For the last commit pushed in time", found, right == len(asked) and counted == wanted)


def confirmed(evidence: Evidence) -> Promise:
    """GitHub answered every dispatch; one that was cut off is named and never sent again."""
    count = sum(not review.confirmed for review in evidence.reviews)
    found = f"{count} unconfirmed" + (" (the service was killed)" if count and evidence.deaths else "")
    return Promise("Every review is confirmed", found, count == 0 or evidence.deaths > 0)


def judged(evidence: Evidence) -> Promise:
    """The service holds a receipt of every push, and says what an observer who saw them all would say."""
    observed = {(push.repository_id, push.sha): push.on_time for push in evidence.pushes}
    held = {(receipt.repository_id, receipt.head_sha): receipt.on_time for receipt in evidence.receipts}
    right = sum(held.get(push) == on_time for push, on_time in observed.items())
    found = f"{right}/{len(observed)} pushes judged as a perfect observer would"
    return Promise("Every push has its verdict", found, observed == held)


def shown(evidence: Evidence) -> Promise:
    """No check on GitHub contradicts the observer; those that wait for GitHub's documented limits are counted."""
    observed = {push.sha: push.on_time for push in evidence.pushes}
    said = {check["head_sha"]: check["conclusion"] == "success" for check in evidence.checks}
    wrong = sum(observed.get(sha) != on_time for sha, on_time in said.items())
    waiting = evidence.checks_waiting
    found = f"{len(said)} of {len(observed)} commits show theirs"
    if waiting:
        found += f"; {waiting} updates still waited for GitHub's limit of 900 points a minute"
    return Promise("Students see it as a check", found, wrong == 0 and (len(said) == len(observed) or waiting > 0))


def nothing_twice(evidence: Evidence) -> Promise:
    """Comments by their hidden marks, checks by their commits, reviews by repository and by nonce."""
    twice = {
        "comments": _repeated(list(evidence.comment_marks)),
        "checks": _repeated([check["head_sha"] for check in evidence.checks]),
        "reviews": _repeated([one["repository_id"] for one in evidence.dispatches]),
        "nonces": _repeated([one["client_payload"]["nonce"] for one in evidence.dispatches]),
    }
    found = ", ".join(f"{count} {what}" for what, count in twice.items())
    replies = len(evidence.comment_marks)
    held = not any(twice.values()) and replies == evidence.commands
    return Promise("Nothing twice", f"repeated: {found}; {replies} answers to {evidence.commands} commands", held)


def imitated(evidence: Evidence) -> Promise:
    """The sandbox knew everything it was asked."""
    return Promise(
        "Nothing was asked that GitHub has not",
        f"{len(evidence.unknown_routes)} unknown calls",
        not evidence.unknown_routes,
    )


def _repeated(items: Sequence[object]) -> int:
    return sum(count - 1 for count in Counter(items).values())
