"""The next hours as graphs: temperature, rain and wind, with the hours below them."""

import math
import re

from todaykit import chart, hstack, number, secondary, series, text

HOURS = 24
# The columns that the name of an hour takes with the space behind it.
LABEL_COLUMNS = 6


def measured(value):
    """A number that a weather station can have measured; None for everything else, such as null and 1e300."""
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,6}(?:\.[0-9]{1,20})?", value, re.ASCII):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if -1000 < value < 1000 else None


def rounded(value):
    """The nearest whole number; halves go up, as people round, and not to the even one."""
    return math.floor(value + 0.5)


def degrees(value):
    """A temperature; a dash for one that a server does not know."""
    return "–" if value is None else f"{rounded(value)}°".replace("-", "−")


def column(table, name):
    found = table.get(name)
    return found if isinstance(found, list) else []


def first_hour(hourly, current):
    """The place of the present hour in what a server says of hours; the first one if it does not say which that is."""
    now = current.get("time")
    times = column(hourly, "time")
    hour = now[:13] if isinstance(now, str) else None
    return next((index for index, time in enumerate(times) if hour and isinstance(time, str) and time[:13] == hour), 0)


def values(hourly, name, start):
    """A day of values from an hour on; None for one that is not known."""
    return [measured(value) for value in column(hourly, name)[start:start + HOURS]]


def graphs(hourly, current, width):
    """The rows of the graphs, rain in mm and wind in km/h; of what a server does not know there is none."""
    start = first_hour(hourly, current)
    warmth = values(hourly, "temperature_2m", start)
    rain = values(hourly, "precipitation", start)
    wind = values(hourly, "wind_speed_10m", start)
    names = [hour_name(time) for time in column(hourly, "time")[start:start + HOURS]]
    rows = []
    if len(known(warmth)) > 1:
        words = f"{degrees(min(known(warmth)))} to {degrees(max(known(warmth)))}"
        rows += [head("Next 24 hours", words), chart(series(warmth, colour="orange"), height=4, accessibilityLabel=words)]
        if hours := hour_row(names, width):
            rows.append(hours)
    if known(rain):
        rows += rain_rows(rain, names)
    if len(known(wind)) > 1:
        words = f"{number(rounded(min(known(wind))), 0)} to {number(rounded(max(known(wind))), 0)} km/h"
        rows += [head("Wind", words), chart(series(wind, colour="teal"), kind="area", height=2, minimum=0, accessibilityLabel=words)]
    return rows


def rain_rows(rain, names):
    total = sum(known(rain))
    if total < 0.05:
        return [head("Rain", "none")]
    strongest = max(range(len(rain)), key=lambda index: rain[index] or 0)
    name = names[strongest] if strongest < len(names) else None
    words = f"{number(total, 1)} mm" + (f", most at {name}" if name else "")
    return [head("Rain", words), chart(series(rain, colour="blue"), kind="area", height=2, minimum=0, accessibilityLabel=words)]


def known(values):
    return [value for value in values if value is not None]


def head(name, words):
    return hstack(secondary(name, lineLimit=1), {"type": "spacer"}, text(words, lineLimit=1))


def hour_name(time):
    """`15:00` of a time such as 2031-02-03T15:00; None for something else."""
    return time[11:16] if isinstance(time, str) and len(time) >= 16 and time[13] == ":" else None


def hour_row(names, width):
    """The hours below a graph over the whole width, as many as there is room for."""
    if len(names) < HOURS or None in names:
        return None
    step = next((step for step in (3, 6, 12) if HOURS / step * LABEL_COLUMNS <= width), None)
    if not step:
        return None
    # The first value of a graph is in the first column, and the last one in the last.
    starts = [hour * (width - 1) // (HOURS - 1) for hour in range(0, HOURS, step)]
    ends = [*starts[1:], width]
    labels = [
        secondary(names[hour], lineLimit=1, frame={"width": end - start})
        for hour, start, end in zip(range(0, HOURS, step), starts, ends)
    ]
    return hstack(*labels, spacing=0)
