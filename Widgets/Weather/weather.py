#!/usr/bin/python3 -ESB
"""Weather: now, today and tomorrow at a place, from Open-Meteo, which needs no key."""

import datetime
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
UNITS = {"°C": "celsius", "°F": "fahrenheit"}
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
        except (KeyError, IndexError, TypeError, ValueError):
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
            "daily": "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max",
            "forecast_days": 7,
            "timezone": "auto",
            "temperature_unit": UNITS.get(self.setting("unit", "°C"), "celsius"),
        }
        server = self.setting("server", FORECASTS).rstrip("/")
        answer = fetch_json(f"{server}/v1/forecast?{urllib.parse.urlencode(query)}")
        try:
            view = self.draw(answer)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Failure("the server answered with something else than a forecast") from error
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
        results = found.get("results") if isinstance(found, dict) else None
        if not results:
            raise Failure(f"no place is called “{name}”; set another one with ,")
        try:
            place = {
                "name": name,
                "title": str(results[0]["name"]),
                "latitude": float(results[0]["latitude"]),
                "longitude": float(results[0]["longitude"]),
            }
        except (KeyError, TypeError, ValueError) as error:
            raise Failure("the server answered with something else than places") from error
        self.place = place
        self.store("place", place)
        return place

    def draw(self, answer):
        current, daily = answer["current"], answer["daily"]
        self.offer_more(True)
        unit = self.setting("unit", "°C")
        sign, words = look(current["weather_code"])
        feels = f"feels like {degrees(current['apparent_temperature'])}"
        speed = current["wind_speed_10m"]
        wind = f"wind {number(float(speed), 0)} km/h" if speed is not None and abs(float(speed)) < 1000 else "wind –"
        head = hstack(
            text(f"{sign}  {degrees(current['temperature_2m'])}{unit[1:]}", bold=True),
            text(words, layoutPriority=-1),
            {"type": "spacer"},
            secondary(self.place.get("title", "")),
        )
        hours = [float(value) for value in answer["hourly"]["temperature_2m"][:24] if value is not None]
        days = [self.day(daily, index) for index in range(min(len(daily["time"]), 7 if self.is_expanded else 2))]
        shapes = ["leading", "leading", "trailing", "trailing", "trailing"]
        course = {**sparkline(hours), "frame": {"maxWidth": 24}}
        return vstack(head, hstack(secondary(f"{feels} · {wind}" if self.is_wide else feels), course), grid(days, shapes, spacing=self.spacing))

    @property
    def is_wide(self):
        return self.width >= WIDE

    @property
    def spacing(self):
        return 2 if self.is_wide else 1

    def day(self, daily, index):
        sign, words = look(daily["weather_code"][index])
        name = "Today" if index == 0 else "Tomorrow" if index == 1 and self.is_wide else weekday(daily["time"][index])
        if not self.is_wide and index > 0:
            name = name[:3]
        rain = daily["precipitation_probability_max"][index]
        return [
            text(name),
            secondary(f"{sign} {words}"),
            text(degrees(daily["temperature_2m_max"][index]), "orange"),
            text(degrees(daily["temperature_2m_min"][index]), "blue"),
            secondary(f"{number(float(rain), 0)} %" if rain is not None else ""),
        ]


def look(code):
    return WORDS.get(int(code), ("", "Unknown"))


def degrees(value):
    """A temperature; a dash for one that a server does not know, or that is none."""
    return "–" if value is None or abs(float(value)) > 999 else f"{round(float(value))}°"


def weekday(date):
    return f"{datetime.date.fromisoformat(date):%A}"


if __name__ == "__main__":
    Weather().run()
