#!/usr/bin/python3 -ESB
"""Weather: now, today and tomorrow at a place, from Open-Meteo, which needs no key."""

import datetime
import re
import urllib.parse

from todaykit import Failure, Widget, button, fetch_json, field, grid, hstack, number, secondary, sparkline, text, vstack
from weather_hours import column, degrees, first_hour, graphs, known, measured, rounded, values

# What the numbers of the World Meteorological Organization mean (WMO table 4677, as Open-Meteo has it). Each sign is one
# column wide.
WORDS = {
    0: ("☀", "Clear"), 1: ("☀", "Mainly clear"), 2: ("☁", "Partly cloudy"), 3: ("☁", "Overcast"),
    45: ("☁", "Fog"), 48: ("☁", "Icy fog"), 51: ("☂", "Light drizzle"), 53: ("☂", "Drizzle"),
    55: ("☂", "Dense drizzle"), 56: ("☂", "Freezing drizzle"), 57: ("☂", "Freezing drizzle"),
    61: ("☂", "Light rain"), 63: ("☂", "Rain"), 65: ("☂", "Heavy rain"), 66: ("☂", "Freezing rain"),
    67: ("☂", "Freezing rain"), 71: ("❄", "Light snow"), 73: ("❄", "Snow"), 75: ("❄", "Heavy snow"),
    77: ("❄", "Snow grains"), 80: ("☂", "Showers"), 81: ("☂", "Showers"), 82: ("☂", "Violent showers"),
    85: ("❄", "Snow showers"), 86: ("❄", "Snow showers"), 95: ("↯", "Thunderstorm"),
    96: ("↯", "Thunderstorm with hail"), 99: ("↯", "Thunderstorm with hail"),
}
# The columns from which on names of days and weather fit beside each other.
WIDE = 46
# The columns from which on the expanded card says the wind of each day, and shows its range.
WIDEST = 60
RANGE_COLUMNS = 14
# What is asked of each hour, and of each day.
HOURLY = ("temperature_2m", "precipitation", "wind_speed_10m")
DAILY = ("weather_code", "temperature_2m_max", "temperature_2m_min", "wind_speed_10m_max", "precipitation_probability_max")
UNITS = {"°C": "celsius", "°F": "fahrenheit"}
# The numbers whose sign is that of the moon at night.
CLEAR, NIGHT = (0, 1), "☾"
# How many mm the units of rain are in which servers answer.
DEPTHS = {"mm": 1, "cm": 10, "inch": 25.4, "in": 25.4}
# How many km/h the units of wind are in which servers answer.
SPEEDS = {"km/h": 1, "m/s": 3.6, "mp/h": 1.609344, "mph": 1.609344, "kn": 1.852}
PLACES = "https://geocoding-api.open-meteo.com"
FORECASTS = "https://api.open-meteo.com"


class Weather(Widget):
    def initialize(self):
        # What was typed just now, while it is looked for.
        self.sought = None
        self.place = self.load("place", {})
        self.forecast = self.load("forecast", None)

    def view(self):
        if not self.forecast or self.forecast.get("for") != self.wanted():
            return None
        try:
            return self.draw(self.forecast["answer"])
        except Failure:
            return None

    def wanted(self):
        return [self.place_name(), self.setting("unit", "°C")]

    def place_name(self):
        """The place of the settings, or else one that the card alone has kept."""
        typed = self.load("typed", "")
        return (self.sought or self.setting("place", "") or (typed if isinstance(typed, str) else "")).strip()

    def configuration_did_change(self):
        return self.view()

    def perform_action(self, action, value):
        if action == "other":
            return self.asking()
        name = " ".join(str(value or "").split())[:100]
        if not name:
            return self.view() or self.asking()
        try:
            self.find(name)
            self.keep(name)
            self.sought = name
            return self.updated()
        except Failure as failure:
            # The place that was shown stays the one of the card.
            return self.asking(str(failure), name)
        finally:
            self.sought = None

    def keep(self, name):
        """Puts a place into the settings, where the form has it too; a host that cannot leaves it to the card."""
        try:
            self.set_configuration(place=name)
        except Failure:
            if self.setting("place", ""):
                raise
            self.store("typed", name)
        else:
            self.store("typed", "")

    def asking(self, trouble=None, typed=None):
        """The field for a place, which is that of the settings from then on."""
        self.offer_more(False)
        words = text(trouble[:1].upper() + trouble[1:], "orange", limit=2) if trouble else secondary("Weather at which place?")
        return vstack(words, hstack(secondary("Place:"), field("place", "place", typed, placeholder="such as Berlin")))

    def widget_perform_update(self, reason):
        if not self.place_name():
            return self.asking()
        try:
            return self.updated()
        except Failure as failure:
            if self.view():
                raise
            # The heading has few words; what they leave out is said below the place, instead of what was shown before it.
            kind, _, why = str(failure).partition(": ")
            words = kind if kind == "no connection" else str(failure)
            raise Failure(words, view=self.waiting(why if words == kind else "")) from failure

    def waiting(self, why):
        """A place without a forecast yet."""
        self.offer_more(False)
        reason = f"No forecast yet: {why}." if why else "No forecast yet."
        return vstack(text(self.place_name()), secondary(reason, limit=2))

    def updated(self):
        """The view of a new forecast."""
        place = self.find(self.place_name())
        query = {
            "latitude": place["latitude"],
            "longitude": place["longitude"],
            "current": "temperature_2m,apparent_temperature,weather_code,wind_speed_10m,is_day",
            "hourly": ",".join(HOURLY),
            "daily": ",".join(DAILY),
            "forecast_days": 7,
            "timezone": "auto",
            "temperature_unit": UNITS.get(self.setting("unit", "°C"), "celsius"),
        }
        server = self.setting("server", FORECASTS).rstrip("/")
        answer = fetch_json(f"{server}/v1/forecast?{urllib.parse.urlencode(query)}")
        view = self.draw(answer)
        self.forecast = {"for": self.wanted(), "answer": answer}
        self.store("forecast", self.forecast)
        return view

    def find(self, name):
        """Where a place is; it is asked once."""
        if self.place.get("name") == name and "latitude" in self.place:
            return self.place
        self.place = coordinates(name) or self.search(name)
        self.store("place", self.place)
        return self.place

    def search(self, name):
        """The place with a name, or with one such as “Springfield, Illinois” the first that is there."""
        results = self.asked(name, 1)
        known, *regions = [part.strip().casefold() for part in name.split(",")]
        if not results and known and regions:
            results = [one for one in self.asked(name.split(",")[0].strip(), 50) if is_within(one, regions)]
        if not results:
            raise Failure(f"no place is called “{name}”")
        found = next((one for one in (place(one, name) for one in results) if one), None)
        if not found:
            raise Failure("the server answered with something other than places")
        return found

    def asked(self, name, count):
        """The places that a server knows by a name."""
        server = self.setting("places", PLACES).rstrip("/")
        query = urllib.parse.urlencode({"name": name, "count": count, "format": "json"})
        found = fetch_json(f"{server}/v1/search?{query}")
        results = found.get("results") if isinstance(found, dict) and not found.get("error") else 0
        # Some servers write null for a list without anything.
        results = [] if results is None else results
        if not isinstance(results, list):
            raise Failure(reason_of(found) or "the server answered with something other than places")
        return results

    def draw(self, answer):
        """What a server knows is shown; what it does not know, or says in another form, is left out or a dash."""
        current, daily = (member(answer, name) for name in ("current", "daily"))
        units = member(answer, "current_units")
        hourly = self.hours(member(answer, "hourly"), {**units, **member(answer, "hourly_units")})
        now = current.get("time")
        days, unreadable = self.days(daily, member(answer, "daily_units"), now[:10] if isinstance(now, str) else None)
        temperature, felt = (self.temperature(current, units, name) for name in ("temperature_2m", "apparent_temperature"))
        if temperature is None and not days:
            raise Failure(reason_of(answer) or "the server answered with something other than a forecast")
        self.offer_more(True)
        unit = self.setting("unit", "°C")
        sign, words = look(current.get("weather_code"), is_night=measured(current.get("is_day")) == 0)
        feels = f"feels like {degrees(felt)}"
        speed = scaled(current.get("wind_speed_10m"), units.get("wind_speed_10m") or "km/h", SPEEDS)
        wind = f"wind {number(rounded(speed), 0)} km/h" if speed is not None else "wind –"
        # The user knows the place.
        place = secondary(self.place.get("title", ""), layoutPriority=-1)
        hours = known(values(hourly, "temperature_2m", first_hour(hourly, current)))
        shapes = ["leading", "leading", *["trailing"] * (4 if self.is_widest else 3), *["leading"] * self.is_widest]
        course = {**sparkline(hours), "frame": {"maxWidth": 24}, "style": {"foreground": "orange"}, "layoutPriority": -1} if hours else None
        notes = [secondary(f"{unreadable} of the days cannot be read")] if unreadable else []
        table = grid(days, shapes, spacing=self.spacing) if days else secondary("The server did not say what comes.")
        below = [secondary(f"{feels} · {wind}" if self.is_wide else feels)]
        if course and self.is_wide and not self.is_expanded:
            below += [{"type": "spacer"}, course]
        number_now = f"{degrees(temperature)}{unit[1:]}" if temperature is not None else "–"
        if not self.is_expanded:
            now = hstack(text(f"{sign}  {number_now}".lstrip(), bold=True), text(words, layoutPriority=-1), {"type": "spacer"}, place)
            return vstack(now, hstack(*below), table, *notes)
        # The temperature is the one number of the card.
        now = hstack(text(f"{sign} {words}".strip()), {"type": "spacer"}, place)
        head = hstack(text(number_now, bold=True, size="large", layoutPriority=1), vstack(now, hstack(*below)), spacing=self.spacing)
        return vstack(head, *graphs(hourly, current, self.width), {"type": "divider"}, table, *notes, button("Other place", "other"))

    def hours(self, hourly, units):
        """The columns of the hours in °C or °F as the settings have it, mm and km/h, whatever the server has answered in."""
        warmth = [self.temperature(hourly, units, HOURLY[0], index) for index in range(len(column(hourly, HOURLY[0])))]
        rain, wind = (
            [scaled(value, units.get(name) or usual, known) for value in column(hourly, name)]
            for name, usual, known in ((HOURLY[1], "mm", DEPTHS), (HOURLY[2], "km/h", SPEEDS))
        )
        return {**hourly, HOURLY[0]: warmth, HOURLY[1]: rain, HOURLY[2]: wind}

    def temperature(self, values, units, name, index=None):
        """A temperature in the unit of the settings, whichever the server has answered in; None for one of another unit."""
        value, wanted = values.get(name), self.setting("unit", "°C")
        unit = units.get(name) or wanted
        if index is not None:
            listed = column(values, name)
            value = listed[index] if index < len(listed) else None
        value = measured(value)
        if value is None or unit == wanted:
            return value
        return {("°F", "°C"): (value - 32) / 1.8, ("°C", "°F"): value * 1.8 + 32}.get((str(unit), wanted))

    @property
    def is_wide(self):
        return self.width >= WIDE

    @property
    def is_widest(self):
        """Whether there is room for the wind and the range of each day."""
        return self.is_expanded and self.width >= WIDEST

    @property
    def spacing(self):
        return 2 if self.is_wide else 1

    def days(self, daily, units, today=None):
        """The rows of the days that are shown, and how many of them have no readable date."""
        dates = [date[:10] if isinstance(date, str) and date[10:11] == "T" else date for date in column(daily, "time")]
        # Some servers begin with the days that have passed.
        first = dates.index(today) if today in dates else 0
        shown = dates[first:first + (7 if self.is_expanded else 2)]
        rows = [self.day(daily, units, first + index, date, index) for index, date in enumerate(shown)]
        return [row for row in rows if row], rows.count(None)

    def day(self, daily, units, index, date, distance):
        try:
            name = f"{datetime.date.fromisoformat(date):%A}"
        except (TypeError, ValueError):
            return None
        if distance == 0 or distance == 1 and self.is_wide:
            name = ("Today", "Tomorrow")[distance]
        elif not self.is_wide:
            name = name[:3]
        code, rain = (
            values[index] if index < len(values) else None
            for values in (column(daily, asked) for asked in (DAILY[0], DAILY[-1]))
        )
        highest, lowest = (self.temperature(daily, units, asked, index) for asked in DAILY[1:3])
        sign, words = look(code)
        rain = measured(rain)
        rain = rain if rain is not None and 0 <= rain <= 100 else None
        cells = [
            text(name),
            secondary(f"{sign} {words}".strip()),
            text(degrees(highest), "orange"),
            text(degrees(lowest), "blue"),
            secondary(f"{number(rounded(rain), 0)} %" if rain is not None else ""),
        ]
        return cells + [secondary(self.wind(daily, units, index)), self.span(daily, units, index)] if self.is_widest else cells

    @staticmethod
    def wind(daily, units, index):
        """The strongest wind of a day in few words."""
        listed = column(daily, DAILY[3])
        speed = scaled(listed[index], units.get(DAILY[3]) or "km/h", SPEEDS) if index < len(listed) else None
        return f"{number(rounded(speed), 0)} km/h" if speed is not None else ""

    def span(self, daily, units, index):
        """The range of a day within that of all days, as a line."""
        lows, highs = (
            [self.temperature(daily, units, name, day) for day in range(min(7, len(column(daily, name))))]
            for name in (DAILY[2], DAILY[1])
        )
        low, high = (listed[index] if index < len(listed) else None for listed in (lows, highs))
        if low is None or high is None or low > high:
            return ""
        least, most = min(known(lows)), max(known(highs))
        steps = (RANGE_COLUMNS - 1) / max(most - least, 1)
        start, end = rounded((low - least) * steps), rounded((high - least) * steps)
        parts = ("─" * start, "━" * (end - start + 1), "─" * (RANGE_COLUMNS - end - 1))
        colours = ("separator", "orange", "separator")
        spans = [{"text": part, "style": {"foreground": colour}} for part, colour in zip(parts, colours) if part]
        return text(spans, accessibilityLabel=f"{degrees(low)} to {degrees(high)}")


# Latitude and longitude in degrees, as maps have them: 48.2, 16.37.
DEGREES = re.compile(r"\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,15})?)\s*[,; ]\s*([+-]?[0-9]{1,3}(?:\.[0-9]{1,15})?)\s*", re.ASCII)


def coordinates(name):
    """The place that is named by its coordinates; None if they are none."""
    match = DEGREES.fullmatch(name.replace("−", "-").replace("°", ""))
    return place({"latitude": match[1], "longitude": match[2]}, name) if match else None


def is_within(found, regions):
    """Whether a place is in all of the regions, which are countries, their codes, or parts of them."""
    if not isinstance(found, dict):
        return False
    names = ("country", "country_code", "admin1", "admin2", "admin3", "admin4")
    known = {one.casefold() for one in map(found.get, names) if isinstance(one, str)}
    return all(region in known for region in regions)


def reason_of(answer):
    """Why a server has no answer, where it says so."""
    words = answer.get("reason") if isinstance(answer, dict) and answer.get("error") is True else None
    return f"the server says: {' '.join(words.split())[:200]}" if isinstance(words, str) and words.strip() else None


def place(found, name):
    """A place in an answer; None if it is nowhere on Earth."""
    try:
        latitude, longitude = float(found["latitude"]), float(found["longitude"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if not (abs(latitude) <= 90 and abs(longitude) <= 180):
        return None
    title = found.get("name")
    return {"name": name, "title": title if isinstance(title, str) and title else name, "latitude": latitude, "longitude": longitude}


def member(answer, name):
    """An object in an answer; an empty one where there is something else."""
    found = answer.get(name) if isinstance(answer, dict) else None
    return found if isinstance(found, dict) else {}


def scaled(value, unit, factors):
    """An amount of rain or wind in the unit whose factor is 1; None for one of another unit, or below nought."""
    value, factor = measured(value), factors.get(unit) if isinstance(unit, str) else None
    return value * factor if value is not None and value >= 0 and factor else None


def look(code, is_night=False):
    """The sign and the words for a number of the weather; empty for none."""
    code = measured(code)
    if code is None:
        return "", ""
    sign, words = WORDS.get(int(code), ("", "Unknown"))
    return (NIGHT if is_night and code in CLEAR else sign), words


if __name__ == "__main__":
    Weather().run()
