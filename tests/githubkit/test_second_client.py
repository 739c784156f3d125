"""A client that knows GitHub and not the sandbox reads it back, and finds what was put there."""

from typing import Any

import pytest
from githubkit.exception import RequestFailed

from sandbox.organisation import Organisation
from sandbox.repository import Repository
from sandbox.world import World

from .conftest import PATH, VERSION

WHERE = {"owner": "prog1", "repo": "lab1-amy"}
RULES = [{"type": "creation"}, {"type": "update"}, {"type": "deletion"}, {"type": "non_fast_forward"}]
CONDITIONS = {"ref_name": {"include": ["~ALL"], "exclude": []}}


async def test_the_app_finds_itself_its_installations_and_its_deliveries(
    app: Any, world: World, org: Organisation
) -> None:
    rest = app.rest(VERSION)
    assert (await rest.apps.async_get_authenticated()).parsed_data.slug == "pencils-down"

    (installation,) = (await rest.apps.async_list_installations()).parsed_data
    assert installation.account.login == "prog1"
    assert (await rest.apps.async_get_org_installation("prog1")).parsed_data.id == installation.id

    (delivery,) = (await rest.apps.async_list_webhook_deliveries()).parsed_data
    shown = (await rest.apps.async_get_webhook_delivery(delivery.id)).parsed_data
    assert (shown.event, shown.action) == ("installation", "created")
    assert shown.request.payload.model_dump()["installation"]["id"] == installation.id


async def test_an_installation_finds_its_repositories_by_name_and_by_id(github: Any, repo: Repository) -> None:
    rest = github.rest(VERSION)
    listed = (await rest.apps.async_list_repos_accessible_to_installation()).parsed_data

    assert [one.full_name for one in listed.repositories] == ["prog1/lab1-amy"]
    shown = (await rest.repos.async_get(**WHERE)).parsed_data
    assert (shown.id, shown.private, shown.archived) == (repo.id, True, False)
    archived = (await rest.repos.async_update(**WHERE, data={"archived": True})).parsed_data
    assert archived.archived
    assert repo.archived


async def test_people_and_teams_are_those_of_the_organisation(github: Any, repo: Repository) -> None:
    rest = github.rest(VERSION)

    assert (await rest.orgs.async_get("prog1")).parsed_data.plan.name == "team"
    owners = (await rest.orgs.async_list_members("prog1", role="admin")).parsed_data
    assert [one.login for one in owners] == ["olga"]
    assert (await rest.orgs.async_get_membership_for_user("prog1", "tim")).parsed_data.state == "active"
    (team,) = (await rest.teams.async_list("prog1")).parsed_data
    members = (await rest.teams.async_list_members_in_org("prog1", team.slug)).parsed_data
    assert [one.login for one in members] == ["tim"]
    member = (await rest.teams.async_get_membership_for_user_in_org("prog1", team.slug, "tim")).parsed_data
    assert (member.role, member.state) == ("member", "active")
    people = (await rest.repos.async_list_collaborators(**WHERE, affiliation="direct")).parsed_data
    assert [(one.login, one.role_name) for one in people] == [("amy", "write")]


async def test_an_organisations_ruleset_is_made_read_and_shown_as_rules_of_a_branch(
    github: Any, repo: Repository
) -> None:
    rest = github.rest(VERSION)
    conditions = CONDITIONS | {"repository_id": {"repository_ids": [repo.id]}}
    made = (
        await rest.repos.async_create_org_ruleset(
            "prog1", name="closed", target="branch", enforcement="active", conditions=conditions, rules=RULES
        )
    ).parsed_data

    shown = (await rest.repos.async_get_org_ruleset("prog1", made.id)).parsed_data
    assert shown.conditions.repository_id.repository_ids == [repo.id]
    rules = (await rest.repos.async_get_branch_rules(**WHERE, branch="main")).parsed_data
    assert {rule.type for rule in rules} == {rule["type"] for rule in RULES}
    assert repo.refusal(repo.world.user("amy")) is not None
    await rest.repos.async_delete_org_ruleset("prog1", made.id)
    assert repo.refusal(repo.world.user("amy")) is None


async def test_a_repositorys_ruleset_is_made_changed_and_listed(github: Any, repo: Repository) -> None:
    rest = github.rest(VERSION)
    made = (
        await rest.repos.async_create_repo_ruleset(
            **WHERE, name="closed", target="branch", enforcement="active", conditions=CONDITIONS, rules=RULES
        )
    ).parsed_data
    assert repo.refusal(repo.world.user("amy")) is not None

    await rest.repos.async_update_repo_ruleset(**WHERE, ruleset_id=made.id, enforcement="disabled")

    (listed,) = (await rest.repos.async_get_repo_rulesets(**WHERE)).parsed_data
    assert (listed.id, listed.enforcement) == (made.id, "disabled")
    assert repo.refusal(repo.world.user("amy")) is None


async def test_checks_runs_annotations_and_activity_tell_of_a_push(github: Any, repo: Repository) -> None:
    rest, sha = github.rest(VERSION), repo.head()
    output = {"title": "On time", "summary": "Received."}
    done = {"status": "completed", "conclusion": "success", "output": output}
    mine = (await rest.checks.async_create(**WHERE, data={"name": "Deadline", "head_sha": sha} | done)).parsed_data

    found = (await rest.checks.async_list_for_ref(**WHERE, ref=sha)).parsed_data
    assert {one.name for one in found.check_runs} == {"Deadline", "grade"}
    changed = {"output": output | {"title": "Late"}}
    await rest.checks.async_update(**WHERE, check_run_id=mine.id, data=changed)
    assert (await rest.checks.async_get(**WHERE, check_run_id=mine.id)).parsed_data.output.title == "Late"
    graded = next(one for one in found.check_runs if one.name == "grade")
    (annotation,) = (await rest.checks.async_list_annotations(**WHERE, check_run_id=graded.id)).parsed_data
    assert (annotation.title, annotation.message) == ("GRADE", "4/6")
    (run,) = (await rest.actions.async_list_workflow_runs_for_repo(**WHERE)).parsed_data.workflow_runs
    assert (run.path, run.head_sha, run.conclusion) == (PATH, sha, "success")
    entries = (await rest.repos.async_list_activities(**WHERE, activity_type="push")).parsed_data
    assert [(one.after, one.actor.login) for one in entries] == [(sha, "amy")]


async def test_issues_comments_and_reactions_are_written_and_read(github: Any, repo: Repository) -> None:
    rest = github.rest(VERSION)
    (issue,) = (await rest.issues.async_list_for_repo(**WHERE)).parsed_data
    (comment,) = (await rest.issues.async_list_comments(**WHERE, issue_number=issue.number)).parsed_data
    assert (comment.user.login, comment.body) == ("amy", "/status")

    await rest.reactions.async_create_for_issue_comment(**WHERE, comment_id=comment.id, content="eyes")
    answer = (await rest.issues.async_create_comment(**WHERE, issue_number=issue.number, body="On time")).parsed_data

    assert answer.user.login == "pencils-down[bot]"
    assert [one.content for one in repo.comments[comment.id].reactions] == ["eyes"]
    opened = (await rest.issues.async_create(**WHERE, title="Mark", body="5/6")).parsed_data
    await rest.issues.async_update(**WHERE, issue_number=opened.number, state="closed")
    assert repo.issues[opened.number].state == "closed"


async def test_a_dispatch_reaches_the_workflow_with_what_it_carries(github: Any, repo: Repository) -> None:
    rest = github.rest(VERSION)

    await rest.repos.async_create_dispatch_event(**WHERE, event_type="grade-final", client_payload={"nonce": "n-1"})

    assert [one.client_payload for one in repo.dispatches] == [{"nonce": "n-1"}]
    runs = (await rest.actions.async_list_workflow_runs_for_repo(**WHERE, event="repository_dispatch")).parsed_data
    assert [run.display_title for run in runs.workflow_runs] == ["Grading n-1"]


async def test_an_empty_commit_is_made_and_a_branch_moved_to_it(github: Any, repo: Repository) -> None:
    git, head = github.rest(VERSION).git, repo.head()
    tree = (await git.async_get_commit(**WHERE, commit_sha=head)).parsed_data.tree.sha

    commit = (await git.async_create_commit(**WHERE, message="Closed", tree=tree, parents=[head])).parsed_data
    await git.async_update_ref(**WHERE, ref="heads/main", sha=commit.sha)

    assert (await git.async_get_ref(**WHERE, ref="heads/main")).parsed_data.object_.sha == commit.sha == repo.head()


async def test_what_is_not_there_is_refused_as_the_client_expects(github: Any, repo: Repository) -> None:
    with pytest.raises(RequestFailed) as refused:
        await github.rest(VERSION).repos.async_get("prog1", "no-such-lab")

    assert refused.value.response.status_code == 404
    assert refused.value.response.json()["message"] == "Not Found"
