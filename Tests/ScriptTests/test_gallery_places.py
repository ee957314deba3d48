"""Scripts of the gallery about places: the sun, the sea, the air, money and departures."""

import datetime
import io
import json
import os
import tempfile
import time
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from gallery_scripts import GalleryTest, module_of
from test_gallery_code import ServerCases


def soon(hours):
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(time.time() + hours * 3600))


def day(back):
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() - back * 86400))


RATES = {
    "amount": 1.0, "base": "EUR", "start_date": day(3), "end_date": day(1),
    "rates": {day(back): {"USD": 1.05 + (22 - back) ** 2 / 15_000, "JPY": 160 + back / 10 + back % 3 / 4} for back in range(22, 0, -1)},
}
TIDES = {"predictions": [
    {"t": soon(-4), "v": "0.321", "type": "L"}, {"t": soon(2.05), "v": "1.790", "type": "H"}, {"t": soon(8), "v": "0.2", "type": "L"},
]}
AIR = {
    "latitude": 52.5, "longitude": 13.4, "utc_offset_seconds": 0, "current_units": {"pm10": "μg/m³"},
    "current": {
        "time": "2026-11-28T12:00", "interval": 3600, "european_aqi": 67, "pm2_5": 61.2, "pm10": 70.1, "nitrogen_dioxide": 20.0,
        "ozone": 41.5, "sulphur_dioxide": None,
    },
    "hourly": {"time": ["2026-11-28T12:00"] * 24, "european_aqi": [67, 61, 55, 44, 38, 30, 24, 22, 19, 18, 18, 21, 30, 42, 55, 63, 72, 81, 76, 66, 50, 41, 33, None]},
}
CASES = {
    "currency": ({"VAR_CURRENCIES": "usd, JPY"}, "VAR_SERVER", "/v1/", RATES, None),
    "tides": ({"VAR_STATION": "9414290"}, "VAR_SERVER", "/api/prod/datagetter", TIDES, None),
    "air": ({"VAR_PLACE": "52.52, 13.40"}, "VAR_SERVER", "/v1/air-quality", AIR, None),
}
OTHERS = []


def at(minutes):
    """A time of today's services so many minutes from now."""
    # So much more that a slow machine still counts these minutes.
    seconds = int(time.time()) % 86400 + minutes * 60 + 50
    return f"{seconds // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}"


def gtfs(**changed):
    """A small timetable with a departure in a quarter of an hour and some hours ago."""
    tables = {
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,UTC\n",
        "stops.txt": '\ufeffstop_id,stop_name,parent_station\nS1,"Main St, North",\nS2,Harbour,\n',
        "routes.txt": "route_id,route_short_name,route_long_name,route_type\nR1,7,Seven,0\nR2,,Night Line,3\n",
        "trips.txt": "route_id,service_id,trip_id,trip_headsign\nR1,DAILY,T1,Airport\nR2,DAILY,T2,Hills\nR1,NEVER,T3,Nowhere\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "DAILY,1,1,1,1,1,1,1,20200101,20991231\nNEVER,0,0,0,0,0,0,0,20200101,20991231\n",
        "calendar_dates.txt": "service_id,date,exception_type\nOTHER,20200101,1\n",
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type\n"
        f"T1,{at(15)},{at(15)},S1,1,0\nT2,{at(200)},{at(200)},S1,1,0\nT3,{at(1)},{at(1)},S1,1,0\nT1,{at(2)},{at(2)},S2,2,0\n"
        f"T2,{at(3)},{at(3)},S1,9,1\nT1,xx,xx,S1,3,0\nT1\n",
        **changed,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            archive.writestr(name, text)
    return buffer.getvalue()


class PlaceTests(ServerCases, GalleryTest):
    CASES, OTHERS, STANDARD = CASES, OTHERS, ("VAR_SERVER",)

    def test_rates_have_their_course_and_change(self):
        printed = self.ask("currency")
        self.assertEqual(printed.summary, f"1 EUR on {day(1)}")
        self.assertRegex(printed.names()[0], r"^▲ USD  ▁[▁-█]{20}█ +1\.0794$")
        self.assertRegex(printed.names()[1], r"^▼ JPY  [▁-█]{21}[▁▂▃▄] +160\.35$")
        self.assertIn("+2.8 % in 22 trading days", printed.text)
        printed = self.ask("currency", VAR_CURRENCIES="USD, XXX")
        self.assertEqual(printed.summary, f"! 1 EUR on {day(1)}, 1 unknown")
        self.assertIn("U;S is not a currency", self.ask("currency", VAR_CURRENCIES="U;S").text)

    def test_the_next_tide_is_first(self):
        printed = self.ask("tides")
        self.assertRegex(printed.summary, r"^Rises for 2 h · 6\d % done$")
        self.assertRegex(printed.names()[0], r"^▲ \d\d:\d\d high(  \w+day)? +1.8 m$")
        self.assertIn("units=metric", self.server.paths[0])
        printed = self.ask("tides", {"error": {"message": "No Predictions data was found."}})
        self.assertIn("No Predictions data was found", printed.error)
        self.assertIn("set VAR_STATION", self.ask("tides", VAR_STATION="9414290; x").text)

    def test_the_air_has_a_word_for_its_index(self):
        printed = self.ask("air")
        self.assertEqual(printed.summary, "! 67 · poor")
        self.assertRegex(printed.names()[0], r"^· Next hours  ▅▅▄[▁-█]{20} +up to 81$")
        self.assertRegex(printed.names()[1], r"^! PM2.5  poor +61 µg/m³$")
        self.assertRegex(printed.names()[5], r"^· SO₂ +unknown$")
        self.assertIn("not a pair of coordinates", self.ask("air", VAR_PLACE="91, 0").text)
        self.assertIn("set VAR_PLACE", self.run_script("air").text)

    def test_the_sun_rises_where_almanacs_say(self):
        module = module_of("sun")
        # Berlin on 21 June 2026: 02:43 and 19:33; Sydney on 1 January 2026: 18:47 of the day before and 09:10, of UTC.
        for date, north, east, rise, down in (
            ((2026, 6, 21), 52.52, 13.40, "02:43", "19:33"), ((2026, 12, 21), 52.52, 13.40, "07:15", "14:54"),
            ((2026, 1, 1), -33.87, 151.21, "18:48", "09:09"), ((2026, 3, 20), 0.0, 0.0, "06:04", "18:11"),
        ):
            number = int(datetime.datetime(*date, tzinfo=datetime.timezone.utc).timestamp()) // 86400
            found = module.sun(number, north, east)
            for seconds, expected in zip(found, (rise, down)):
                hours, minutes = (int(one) for one in expected.split(":"))
                difference = (seconds - hours * 3600 - minutes * 60 + 43200) % 86400 - 43200
                self.assertLess(abs(difference), 240, f"{date} {expected}: {time.strftime('%H:%M', time.gmtime(seconds))}")
        june, december = 20625, 20808
        self.assertEqual([module.sun(one, 78.2, 15.6)[2] for one in (june, december)], [True, False])

    def test_the_sun_and_the_moon_of_a_place(self):
        self.assertIn("set VAR_PLACE", self.run_script("sun").text)
        self.assertIn("not a pair of coordinates", self.run_script("sun", VAR_PLACE="nan, 5").text)
        for place in ("52.52, 13.40", "90 0", "-90,180", "69.6, 18.9", "-33.87 151.21"):
            for month in range(1, 13):
                now = datetime.datetime(2026, month, 21, 12, tzinfo=datetime.timezone.utc).timestamp()
                with mock.patch("time.time", return_value=now):
                    printed = self.run_script("sun", VAR_PLACE=place)
                self.check(printed)
                self.assertEqual(printed.status, 0)
                self.assertRegex(printed.summary, r"^(Sunrise in|Sunset in|The sun (has set|does not))")

    def test_the_moon_is_full_when_it_is(self):
        # Full moon on 3 January 2026 and new moon on 18 January 2026.
        for date, word in (((2026, 1, 3), "full moon"), ((2026, 1, 18), "new moon"), ((2026, 8, 28), "full moon")):
            now = datetime.datetime(*date, 12, tzinfo=datetime.timezone.utc).timestamp()
            with mock.patch("time.time", return_value=now):
                self.assertIn(word, self.run_script("sun", VAR_PLACE="52.52, 13.40").text)


class DepartureTests(GalleryTest):
    def ask(self, answer, **settings):
        self.serve(("/gtfs.zip", answer))
        return self.run_script("departures", **{"VAR_FEED": f"{self.server.url}/gtfs.zip", "VAR_STOPS": "main st", **settings})

    def test_the_next_departures_of_a_stop(self):
        printed = self.ask(gtfs())
        self.assertEqual(printed.summary, "Next in 15 min")
        self.assertRegex(printed.names()[0], r"^· 7 Airport  Main St, North +15 min$")
        self.assertRegex(printed.names()[1], r"^· Night Line Hills  Main St, North +\d\d:\d\d$")
        self.assertEqual(len(printed.top), 2)
        # What was read is kept; the timetable is not fetched again.
        self.serve()
        feed = f"{self.server.url}/gtfs.zip"
        self.assertEqual(self.run_script("departures", VAR_FEED=feed, VAR_STOPS="main st").summary, "Next in 15 min")
        self.assertEqual(self.server.paths, [])
        printed = self.run_script("departures", VAR_FEED=feed, VAR_STOPS="S1; harbour", VAR_LINES="7")
        self.assertEqual([name.split()[-2:] for name in printed.names()], [["2", "min"], ["15", "min"]])
        self.assertIn("no such stop", self.run_script("departures", VAR_FEED=feed, VAR_STOPS="nowhere").text)

    def minutes(self, **tables):
        """The minutes until the departures at the harbour."""
        self.cache = Path(tempfile.mkdtemp(dir=self.programs.folder))
        printed = self.ask(gtfs(**tables), VAR_STOPS="harbour")
        return [row.split()[-2] for row in printed.names()]

    def test_a_trip_that_is_repeated_begins_as_often_as_its_frequency_says(self):
        times = "trip_id,departure_time,stop_id,stop_sequence\nT1,10:07:00,S2,20\nT1,10:00:00,S1,3\n"
        head = "trip_id,start_time,end_time,headway_secs,exact_times\n"
        tables = {"stop_times.txt": times, "frequencies.txt": f"{head}T1,{at(1)},{at(31)},600,0\n"}
        self.assertEqual(self.minutes(**tables), ["8", "18", "28"])
        # Trips that are not repeated have their own times.
        tables["stop_times.txt"] += f"T2,{at(10)},S2,1\n"
        self.assertEqual(self.minutes(**tables), ["8", "10", "18", "28"])
        self.assertEqual(self.minutes(**{**tables, "frequencies.txt": f"{head}T1,x,,0,\n"}), ["10"])

    def test_a_stop_without_a_time_is_between_those_that_have_one(self):
        head = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for times, minutes in (
            (f"T1,,,S2,2\nT1,{at(10)},{at(10)},S1,1\nT1,{at(20)},,S3,4\n", "15"),
            (f"T1,{at(10)},,S2,1\n", "10"),
        ):
            self.assertEqual(self.minutes(**{"stop_times.txt": head + times}), [minutes])

    def test_a_timetable_that_has_ended_or_not_begun_says_so(self):
        head = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nNEVER,0,0,0,0,0,0,0,20200101,20991231\n"
        year = time.gmtime().tm_year
        for index, (dates, exceptions, expected) in enumerate((
            ("20240101,20240303", "", "! The timetable ended on 3 March 2024"), ("20240101,20240303", "DAILY,20240305,1\nDAILY,20250101,2\n", "! The timetable ended on 5 March 2024"),
            (f"{year + 1}0101,{year + 2}1231", "", f"! The timetable begins on 1 January {year + 1}"), ("20240101,20991231", "", "No more departures today"), ("x,", "", "No more departures today"),
        )):
            self.cache = self.programs.folder / f"ended{index}"
            tables = {"calendar.txt": f"{head}DAILY,1,1,1,1,1,1,1,{dates}\n", "calendar_dates.txt": f"service_id,date,exception_type\n{exceptions}"}
            self.assertEqual(self.ask(gtfs(**tables, **{"stop_times.txt": ""})).summary, expected)

    def test_a_timetable_that_cannot_be_read_says_why(self):
        self.assertIn("set VAR_FEED", self.run_script("departures").text)
        self.assertIn("not a .zip", self.ask(b"<html>").error)
        for index, (name, text) in enumerate((("agency.txt", "agency_timezone\nMars/Base\n"), ("agency.txt", ""), ("agency.txt", "agency_timezone\n../../etc/passwd\n"))):
            with mock.patch.dict(os.environ):
                self.cache = self.programs.folder / f"cache{index}"
                self.assertIn("no zone", self.ask(gtfs(**{name: text})).error)
        self.cache = self.programs.folder / "other"
        content = bytearray(gtfs())
        content[60:90] = b"\0" * 30
        printed = self.ask(bytes(content))
        self.assertEqual(printed.status, 1)
        self.check(printed)
        self.cache = self.programs.folder / "missing"
        self.assertIn("(404)", self.ask(404).error)
        self.assertIn("No such file", self.run_script("departures", VAR_FEED="/nonexistent.zip", VAR_STOPS="x").error)

    def test_tables_may_lack_anything(self):
        for index, name in enumerate(("stops.txt", "routes.txt", "trips.txt", "calendar.txt", "calendar_dates.txt", "stop_times.txt")):
            for text in ("", "a,b\n1\n", '"\n', "\0\n"):
                self.cache = self.programs.folder / f"c{index}{len(text)}"
                printed = self.ask(gtfs(**{name: text}))
                self.check(printed, words=name)

    def test_what_was_kept_may_be_anything(self):
        self.ask(gtfs())
        kept = self.cache / "today-gallery" / "departures.json"
        for text in ("", "[]", "null", json.dumps({"mark": 5})):
            kept.write_text(text)
            self.assertEqual(self.ask(gtfs()).summary, "Next in 15 min")


if __name__ == "__main__":
    unittest.main()
