"""Comments are answered once, in the order in which they were written; what is said is written once."""

from bot.model import Command
from bot.store import commands, outbox
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, DEADLINE
from .work import LEASE_SECONDS, command

COMMENT = Command(ACCOUNT, 1, 9, 3, 7, "amy", "/status", commented_at=DEADLINE, heard_at=DEADLINE)


async def test_a_comment_is_recorded_once_by_its_id(conn: Conn) -> None:
    assert await commands.record(conn, COMMENT)
    assert not await commands.record(conn, COMMENT)


async def test_an_answered_comment_never_runs_again(conn: Conn) -> None:
    await commands.record(conn, COMMENT)
    await commands.done(conn, COMMENT, "done")

    assert not await commands.record(conn, COMMENT)
    assert await commands.by_id(conn, ACCOUNT, COMMENT.comment_id) is None
    assert await commands.claim(conn, await rows.process(conn), LEASE_SECONDS, 8) == []


async def test_of_one_issue_the_oldest_comment_is_taken_alone_and_of_several_each_ones_oldest(conn: Conn) -> None:
    for comment_id, issue_number in ((3, 1), (1, 1), (2, 2)):
        await command(conn, comment_id, issue_number)

    taken = await commands.claim(conn, await rows.process(conn), LEASE_SECONDS, 8)

    assert sorted(lease.key for lease in taken) == [1, 2]


async def test_the_next_comment_of_an_issue_waits_until_the_one_before_is_answered(conn: Conn) -> None:
    holder = await rows.process(conn)
    await commands.record(conn, COMMENT)
    await command(conn, comment_id=2, issue_number=4)
    await conn.execute("UPDATE commands SET repository_id = 9, issue_number = 3")
    assert [lease.key for lease in await commands.claim(conn, holder, LEASE_SECONDS, 8)] == [1]
    assert await commands.claim(conn, holder, LEASE_SECONDS, 8) == []

    await commands.done(conn, COMMENT, "done")

    assert [lease.key for lease in await commands.claim(conn, holder, LEASE_SECONDS, 8)] == [2]


async def test_no_more_comments_are_taken_than_there_are_hands(conn: Conn) -> None:
    for number in range(3):
        await command(conn, comment_id=number, issue_number=number)

    assert len(await commands.claim(conn, await rows.process(conn), LEASE_SECONDS, 2)) == 2


async def test_the_same_words_are_written_once_by_their_mark(conn: Conn) -> None:
    await outbox.write_reply(conn, COMMENT, "first", "mark", DEADLINE)
    await outbox.write_reply(conn, COMMENT, "second", "mark", DEADLINE)
    await outbox.write_reaction(conn, COMMENT, "eyes", DEADLINE)
    await outbox.write_reaction(conn, COMMENT, "eyes", DEADLINE)

    written = await conn.fetch("SELECT kind, body FROM outbox ORDER BY id")
    assert [tuple(row) for row in written] == [("comment", "first"), ("reaction", "eyes")]


async def test_what_was_posted_or_given_up_is_not_taken_again(conn: Conn) -> None:
    await outbox.write_reply(conn, COMMENT, "posted", "one", DEADLINE)
    await outbox.write_reply(conn, COMMENT, "refused", "two", DEADLINE)
    holder = await rows.process(conn)
    first, second = await outbox.claim(conn, holder, LEASE_SECONDS, 8)
    posted = await outbox.by_id(conn, ACCOUNT, first.key)
    refused = await outbox.by_id(conn, ACCOUNT, second.key)
    assert posted is not None
    assert refused is not None

    await outbox.posted(conn, posted, 1)
    await outbox.give_up(conn, refused, "GitHub knows no such issue")

    await conn.execute("UPDATE outbox SET leased_at = NULL")
    assert await outbox.claim(conn, holder, LEASE_SECONDS, 8) == []
    assert await outbox.by_id(conn, ACCOUNT, first.key) is None


async def test_an_absent_mark_is_believed_only_a_minute_after_the_first_try(conn: Conn) -> None:
    await outbox.write_reply(conn, COMMENT, "words", "mark", DEADLINE)
    (lease,) = await outbox.claim(conn, await rows.process(conn), LEASE_SECONDS, 1)

    letter = await outbox.by_id(conn, ACCOUNT, lease.key)
    assert letter is not None
    assert letter.settled is None
    await outbox.trying(conn, letter)
    assert [await _settled(conn, lease.key, ago) for ago in ("0 s", "50 s", "61 s")] == [False, False, True]


async def _settled(conn: Conn, letter_id: int, ago: str) -> bool | None:
    await conn.execute("UPDATE outbox SET tried_at = now() - $1::text::interval", ago)
    letter = await outbox.by_id(conn, ACCOUNT, letter_id)
    assert letter is not None
    return letter.settled
