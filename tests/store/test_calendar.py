"""Days of the calendar in SQL, where tasks fall due, are those of the rules (docs/design.md section 3)."""

from datetime import UTC, datetime, timedelta

from bot.rules import durations
from bot.rules.durations import Duration
from bot.store.records import Conn

ZONES = ("Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Taipei")
BEGIN = datetime(2026, 1, 1, 0, 15, tzinfo=UTC)
HALF_HOURS = 2 * 365 * 48
DAYS = 3


async def test_each_half_hour_of_two_years_is_so_many_days_before_by_both(conn: Conn) -> None:
    instants = [BEGIN + timedelta(minutes=30 * half) for half in range(0, HALF_HOURS)]
    days = f"-{DAYS} days"

    for zone in ZONES:
        found = await conn.fetch(
            "SELECT later(at, $2::text::interval, $3) FROM unnest($1::timestamptz[]) AS at", instants, days, zone
        )

        assert [row[0] for row in found] == [durations.before(at, Duration(days=DAYS), zone) for at in instants]
