#!/usr/bin/python3 -ESB
"""Weather: now, today and tomorrow at a place, from Open-Meteo, which needs no key."""

import datetime
import math
import urllib.parse

from todaykit import Failure, Widget, fetch_json, grid, hstack, number, secondary, sparkline, text, vstack

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
# What is asked of each day.
DAILY = ("weather_code", "temperature_2m_max", "temperature_2m_min", "precipitation_probability_max")
UNITS = {"°C": "celsius", "°F": "fahrenheit"}
# How many km/h the units of wind are in which servers answer.
SPEEDS = {"km/h": 1, "m/s": 3.6, "mp/h": 1.609344, "mph": 1.609344, "kn": 1.852}
PLACES = "https://geocoding-api.open-meteo.com"
FORECASTS = "https://api.open-meteo.com"


class Weather(Widget):
    def initialize(self):
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
        return [self.setting("place", ""), self.setting("unit", "°C")]

    def widget_perform_update(self, reason):
        name = self.setting("place", "").strip()
        if not name:
            return self.instructions("No place yet.", "Press , to set one.")
        place = self.find(name)
        query = {
            "latitude": place["latitude"],
            "longitude": place["longitude"],
            "current": "temperature_2m,apparent_temperature,weather_code,wind_speed_10m",
            "hourly": "temperature_2m",
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
        server = self.setting("places", PLACES).rstrip("/")
        query = urllib.parse.urlencode({"name": name, "count": 1, "format": "json"})
        found = fetch_json(f"{server}/v1/search?{query}")
        results = found.get("results", []) if isinstance(found, dict) and not found.get("error") else None
        if results == []:
            raise Failure(f"no place is called “{name}”; set another one with ,")
        places = [place(one, name) for one in results] if isinstance(results, list) else []
        found = next((one for one in places if one), None)
        if not found:
            raise Failure("the server answered with something other than places")
        self.place = found
        self.store("place", found)
        return found

    def draw(self, answer):
        """What a server knows is shown; what it does not know, or says in another form, is left out or a dash."""
        current, hourly, daily = (member(answer, name) for name in ("current", "hourly", "daily"))
        units = member(answer, "current_units")
        days, unreadable = self.days(daily, member(answer, "daily_units"))
        temperature, felt = (self.temperature(current, units, name) for name in ("temperature_2m", "apparent_temperature"))
        if temperature is None and not days:
            raise Failure("the server answered with something other than a forecast")
        self.offer_more(True)
        unit = self.setting("unit", "°C")
        sign, words = look(current.get("weather_code"))
        feels = f"feels like {degrees(felt)}"
        speed = measured(current.get("wind_speed_10m"))
        factor = SPEEDS.get(units.get("wind_speed_10m") or "km/h") if isinstance(units.get("wind_speed_10m", ""), str) else None
        wind = f"wind {number(rounded(speed * factor), 0)} km/h" if speed is not None and speed >= 0 and factor else "wind –"
        head = hstack(
            text(f"{sign}  {degrees(temperature)}{unit[1:]}".lstrip(), bold=True),
            text(words, layoutPriority=-1),
            {"type": "spacer"},
            secondary(self.place.get("title", "")),
        )
        hours = [value for value in map(measured, column(hourly, "temperature_2m")[:24]) if value is not None]
        shapes = ["leading", "leading", "trailing", "trailing", "trailing"]
        course = {**sparkline(hours), "frame": {"maxWidth": 24}} if hours else None
        notes = [secondary(f"{unreadable} of the days cannot be read")] if unreadable else []
        table = grid(days, shapes, spacing=self.spacing) if days else secondary("The server did not say what comes.")
        return vstack(head, hstack(secondary(f"{feels} · {wind}" if self.is_wide else feels), course), table, *notes)

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
    def spacing(self):
        return 2 if self.is_wide else 1

    def days(self, daily, units):
        """The rows of the days that are shown, and how many of them have no readable date."""
        dates = column(daily, "time")[:7 if self.is_expanded else 2]
        rows = [self.day(daily, units, index, date) for index, date in enumerate(dates)]
        return [row for row in rows if row], rows.count(None)

    def day(self, daily, units, index, date):
        try:
            name = f"{datetime.date.fromisoformat(date):%A}"
        except (TypeError, ValueError):
            return None
        if index == 0 or index == 1 and self.is_wide:
            name = ("Today", "Tomorrow")[index]
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
        return [
            text(name),
            secondary(f"{sign} {words}".strip()),
            text(degrees(highest), "orange"),
            text(degrees(lowest), "blue"),
            secondary(f"{number(rounded(rain), 0)} %" if rain is not None else ""),
        ]


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


def column(table, name):
    found = table.get(name)
    return found if isinstance(found, list) else []


def measured(value):
    """A number that a weather station can have measured; None for everything else, such as null and 1e300."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if -1000 < value < 1000 else None


def rounded(value):
    """The nearest whole number; halves go up, as people round, and not to the even one."""
    return math.floor(value + 0.5)


def look(code):
    code = measured(code)
    return ("", "") if code is None else WORDS.get(int(code), ("", "Unknown"))


def degrees(value):
    """A temperature; a dash for one that a server does not know."""
    return "–" if value is None else f"{rounded(value)}°".replace("-", "−")


if __name__ == "__main__":
    Weather().run()
