def moment(value, zone=datetime.timezone.utc):
    """The seconds since 1970 of a date in ISO 8601, or of a number; None for all that is none.

    A date without a zone is one of `zone`; None is that of this machine.
    """
    if not isinstance(value, str):
        return number(value, 0, 4e9)
    text = re.sub(r"[.,]\d+", "", value.strip()).replace("Z", "+00:00")
    try:
        date = datetime.datetime.fromisoformat(re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text))
        date = date if date.tzinfo else date.replace(tzinfo=zone) if zone else date.astimezone()
        return number(date.timestamp(), 0, 4e9)
    except (ValueError, OverflowError):
        return None


def span(seconds):
    """A time in one unit: 45 s, 3 min, 2 h, 5 d; empty if there is none."""
    if seconds is None:
        return ""
    seconds = max(0, seconds)
    for limit, size, unit in ((60, 1, "s"), (3600, 60, "min"), (2 * 86400, 3600, "h")):
        if seconds < limit:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 86400)} d"


def age(value):
    """How long ago a date was; empty if it is none, or in the future by more than clocks differ."""
    then = moment(value)
    return "" if then is None or then > time.time() + 600 else span(time.time() - then)
