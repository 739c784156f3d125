"""The inbox's rows: each delivery is understood by one reader at a time, until it is handled (section 2)."""

from uuid import uuid4

from bot.store import deliveries
from bot.store.deliveries import Arrival
from bot.store.records import Conn

from .rows import ACCOUNT, INSTALLATION
from .sessions import beside

BODY = '{"häh": "' + "x" * 5000 + '"}'


async def stored(conn: Conn, body: str = BODY) -> Arrival:
    """A delivery as it came in."""
    arrival = Arrival(ACCOUNT, uuid4(), "ping", "opened", INSTALLATION, 9, body.encode(), None)
    assert await deliveries.record(conn, arrival, 0.0)
    return arrival


async def test_a_delivery_comes_back_as_it_was_signed(conn: Conn) -> None:
    arrival = await stored(conn)

    delivery = await deliveries.next_due(conn)

    assert delivery is not None
    assert (delivery.guid, delivery.event, delivery.action) == (arrival.guid, "ping", "opened")
    assert (delivery.body, delivery.attempts) == (BODY.encode(), 0)


async def test_two_readers_never_hold_the_same_delivery(conn: Conn, other: Conn) -> None:
    await stored(conn)

    async with conn.transaction():
        assert await deliveries.next_due(conn) is not None
        second = await beside(conn, other, deliveries.next_due(other))

    assert await second is None


async def test_a_delivery_is_due_until_it_is_handled_and_its_row_stays(conn: Conn) -> None:
    await stored(conn)
    delivery = await deliveries.next_due(conn)
    assert delivery is not None

    await deliveries.handled(conn, delivery, "understood")

    assert await deliveries.next_due(conn) is None
    assert await deliveries.waiting(conn) == 0
    assert await conn.fetchval("SELECT count(*) FROM deliveries") == 1


async def test_a_delivery_put_off_is_due_again_later_or_when_its_installation_was_looked_up(conn: Conn) -> None:
    await stored(conn)
    delivery = await deliveries.next_due(conn)
    assert delivery is not None

    await deliveries.postpone(conn, delivery, 60, "its installation is being looked up")
    assert await deliveries.next_due(conn) is None
    assert await deliveries.waiting(conn) == 1

    await deliveries.wake(conn, ACCOUNT, INSTALLATION + 1)
    assert await deliveries.next_due(conn) is None
    await deliveries.wake(conn, ACCOUNT, INSTALLATION)
    again = await deliveries.next_due(conn)
    assert again is not None
    assert again.attempts == 1


async def test_what_was_handled_is_not_woken(conn: Conn) -> None:
    await stored(conn)
    delivery = await deliveries.next_due(conn)
    assert delivery is not None
    await deliveries.handled(conn, delivery, "understood")

    await deliveries.wake(conn, ACCOUNT, INSTALLATION)

    assert await deliveries.next_due(conn) is None
