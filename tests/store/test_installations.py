"""Installations and processes: what was heard, and what was read of it (docs/design.md sections 5 and 14)."""

from bot.store import installations, leases
from bot.store.installations import Reading
from bot.store.records import Conn

from . import rows
from .rows import ACCOUNT, INSTALLATION
from .work import LEASE_SECONDS


async def test_an_event_only_has_the_installation_read(conn: Conn) -> None:
    await installations.heard_of(conn, ACCOUNT, INSTALLATION, "prog1")

    known = await installations.by_id(conn, ACCOUNT, INSTALLATION)
    assert known is not None
    assert known.state == "unknown"
    assert await installations.active(conn, ACCOUNT) is None
    assert len(await installations.claim_reads(conn, await rows.process(conn), LEASE_SECONDS, 1)) == 1


async def test_hearing_again_of_one_that_is_gone_does_not_bring_it_back(conn: Conn) -> None:
    await rows.installation(conn, state="gone")

    await installations.heard_of(conn, ACCOUNT, INSTALLATION, "prog1")

    known = await installations.by_id(conn, ACCOUNT, INSTALLATION)
    assert known is not None
    assert known.state == "gone"


async def test_a_newer_installation_of_the_account_takes_the_place_of_the_older(conn: Conn) -> None:
    await rows.installation(conn)
    await installations.heard_of(conn, ACCOUNT, INSTALLATION + 1, "prog1")

    await installations.record(conn, ACCOUNT, INSTALLATION + 1, Reading("active", "prog1", {"issues": "write"}, "team"))

    active = await installations.active(conn, ACCOUNT)
    assert active is not None
    assert active.installation_id == INSTALLATION + 1
    older = await installations.by_id(conn, ACCOUNT, INSTALLATION)
    assert older is not None
    assert older.state == "gone"


async def test_what_was_heard_while_it_was_read_stays_due(conn: Conn) -> None:
    await installations.heard_of(conn, ACCOUNT, INSTALLATION, "prog1")
    holder = await rows.process(conn)
    (lease,) = await installations.claim_reads(conn, holder, LEASE_SECONDS, 1)
    await installations.heard_of(conn, ACCOUNT, INSTALLATION, "prog1")

    await installations.record(conn, ACCOUNT, INSTALLATION, Reading("active"))
    await leases.give_back(conn, lease)
    (lease,) = await installations.claim_reads(conn, holder, LEASE_SECONDS, 1)
    await installations.record(conn, ACCOUNT, INSTALLATION, Reading("active"))
    await leases.give_back(conn, lease)

    assert await installations.claim_reads(conn, holder, LEASE_SECONDS, 1) == []


async def test_at_the_start_every_installation_that_is_not_gone_is_read(conn: Conn) -> None:
    await rows.installation(conn, 1)
    await rows.installation(conn, 2, state="suspended")
    await rows.installation(conn, 3, state="gone")

    await installations.all_due(conn)

    taken = await installations.claim_reads(conn, await rows.process(conn), LEASE_SECONDS, 8)
    assert sorted(lease.key for lease in taken) == [1, 2]
