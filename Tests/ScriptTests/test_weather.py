import contextlib
import socket
import unittest

from server import Server
from widget import KitWidget, text

PLACES = {"results": [{"name": "Berlin", "latitude": 52.52, "longitude": 13.41}]}
FORECAST = {
    "current": {
        "temperature_2m": 17.6, "apparent_temperature": 16.2, "weather_code": 2, "wind_speed_10m": 11.4,
    },
    "hourly": {"temperature_2m": [float(hour) for hour in range(48)]},
    "daily": {
        "time": [f"2031-02-{day:02}" for day in range(3, 10)],
        "weather_code": [3, 61, 0, 71, 95, 45, 1],
        "temperature_2m_max": [18.4, 12, 13, 14, 15, 16, 17],
        "temperature_2m_min": [9.5, 8, 7, 6, 5, 4, -3],
        "precipitation_probability_max": [0, 80, None, 10, 20, 30, 40],
    },
}


def fields(view):
    """The fields of a view with their texts."""
    inside = [found for child in view.get("children", []) if isinstance(child, dict) for found in fields(child)]
    return inside + ([(view["id"], view.get("text"))] if view["type"] == "field" else [])


class WeatherTests(unittest.TestCase):
    def widget(self, server, **values):
        values = {"place": "Berlin", "server": server.url, "places": server.url, **values}
        return KitWidget("Weather/weather.py", configuration=values)

    def test_without_a_place_the_card_has_a_field_for_one(self):
        found = ("/v1/search", lambda handler, body: PLACES if "name=Berlin" in handler.path else {})
        with Server(found, ("/v1/forecast", FORECAST)) as server, self.widget(server, place="") as widget:
            widget.initialize()
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            self.assertEqual(server.paths, [])
            self.assertEqual(fields(view), [("place", None)])
            # What is no place stays in the field.
            view = widget.call("performAction", action="place", value=" Nowhere ")["view"]
            self.assertIn("No place is called “Nowhere”", text(view))
            self.assertEqual(fields(view), [("place", "Nowhere")])
            view = widget.call("performAction", action="place", value="Berlin")["view"]
            self.assertIn("Partly cloudy", text(view))
            # It is that of the settings from then on, so that their form has it.
            self.assertEqual(widget.kept, {"place": "Berlin"})
            self.assertEqual(fields(widget.call("performAction", action="other")["view"]), [("place", None)])

    def test_a_place_of_config_json_stays_and_the_card_says_so(self):
        with Server(("/v1/search", PLACES), ("/v1/forecast", FORECAST)) as server, self.widget(server) as widget:
            widget.fixed = ("place",)
            widget.initialize(activeDisplayMode="expanded")
            self.assertIn("Other place", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
            view = widget.call("performAction", action="place", value="Rome")["view"]
            self.assertIn("Place is set at config.json:1:1", text(view))
            self.assertIn("Berlin", text(widget.call("performAction", action="place", value="")["view"]))

    def test_the_card_keeps_a_place_that_the_settings_do_not_take(self):
        found = ("/v1/search", PLACES)
        with Server(found, ("/v1/forecast", FORECAST)) as server, self.widget(server, place="") as widget:
            widget.fixed = ("place",)
            widget.initialize()
            self.assertIn("Partly cloudy", text(widget.call("performAction", action="place", value="Berlin")["view"]))
            data = widget.data
        with Server(found, ("/v1/forecast", FORECAST)) as server:
            values = {"place": "", "server": server.url, "places": server.url}
            with KitWidget("Weather/weather.py", configuration=values, data=data) as again:
                self.assertIn("Partly cloudy", text(again.initialize()["view"]))

    def test_the_next_hours_are_graphs_from_the_present_hour_on(self):
        hourly = {
            "time": [f"2031-02-{3 + hour // 24:02}T{hour % 24:02}:00" for hour in range(48)],
            "temperature_2m": [float(hour) for hour in range(48)],
            "precipitation": [0, None, 1e300, -3] + [0.0] * 16 + [1.25, 2.5] + [0.0] * 26,
            "wind_speed_10m": [10.0] * 30 + [20.0] * 18,
        }
        current = {**FORECAST["current"], "time": "2031-02-03T14:45"}
        answers = ("/v1/search", PLACES), ("/v1/forecast", {**FORECAST, "hourly": hourly, "current": current})
        with Server(*answers) as server, self.widget(server) as widget:
            widget.initialize(maximumSize={"width": 76, "height": 30}, activeDisplayMode="expanded")
            view = widget.call("widgetPerformUpdate", reason="user")["view"]
            charts = [node for node in view["children"] if node["type"] == "chart"]
            self.assertEqual([len(chart["series"][0]["values"]) for chart in charts], [24, 24, 24])
            self.assertEqual(charts[0]["series"][0]["values"][0], 14)
            words = text(view)
            for part in ("14° to 37°", "14:0017:0020:00", "3.8 mm, most at 21:00", "10 to 20 km/h"):
                self.assertIn(part, words)

    def test_hours_in_other_units_are_shown_in_those_of_the_card(self):
        hourly = {
            "time": [f"2031-02-03T{hour:02}:00" for hour in range(24)],
            "temperature_2m": [32.0] * 23 + [50.0], "precipitation": [0.1] * 24, "wind_speed_10m": [10.0] * 24,
        }
        units = {"temperature_2m": "°F", "precipitation": "inch", "wind_speed_10m": "m/s"}
        answers = ("/v1/search", PLACES), ("/v1/forecast", {**FORECAST, "hourly": hourly, "hourly_units": units})
        with Server(*answers) as server, self.widget(server) as widget:
            widget.initialize(maximumSize={"width": 76, "height": 30}, activeDisplayMode="expanded")
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            for part in ("0° to 10°", "Rain61 mm", "36 to 36 km/h"):
                self.assertIn(part, words)

    def test_a_clear_sky_has_the_sign_of_the_moon_at_night(self):
        with self.forecasts() as shown:
            for code, is_day, now in ((0, 0, "☾ Clear"), (1, 0, "☾ Mainly clear"), (0, 1, "☀ Clear"), (0, None, "☀ Clear"), (3, 0, "☁ Overcast")):
                current = {**FORECAST["current"], "weather_code": code, "is_day": is_day}
                self.assertIn(f"{now}Berlin", shown({**FORECAST, "current": current}))

    def test_hours_that_are_not_known_have_no_graph_and_no_rain_is_said(self):
        for hourly, part in (({}, None), ({"precipitation": [0, 0]}, "Rainnone"), ({"time": 5, "temperature_2m": [1]}, None)):
            answers = ("/v1/search", PLACES), ("/v1/forecast", {**FORECAST, "hourly": hourly})
            with self.subTest(hourly), Server(*answers) as server, self.widget(server) as widget:
                widget.initialize(maximumSize={"width": 38, "height": 30}, activeDisplayMode="expanded")
                view = widget.call("widgetPerformUpdate", reason="user")["view"]
                self.assertEqual([node for node in view["children"] if node["type"] == "chart"], [])
                self.assertIn(part or "Today", text(view))

    def test_now_and_two_days_and_a_week_when_it_is_expanded(self):
        answers = ("/v1/search", PLACES), ("/v1/forecast", FORECAST)
        with Server(*answers) as server, self.widget(server) as widget:
            widget.initialize(maximumSize={"width": 60, "height": 30})
            answer = widget.call("widgetPerformUpdate", reason="user")
            self.assertEqual(widget.mode, "expanded")
            words = text(answer["view"])
            self.assertEqual(answer["result"], "newData")
            for part in ("18°C", "Partly cloudy", "Berlin", "feels like 16°", "Today", "Tomorrow", "80 %"):
                self.assertIn(part, words)
            self.assertNotIn("Thursday", words)
            self.assertIn("latitude=52.52&longitude=13.41", server.paths[1])
            mode = {"activeDisplayMode": "expanded", "maximumSize": {"width": 38, "height": 30}}
            shown = widget.notify("widgetActiveDisplayModeDidChange", **mode)
            # The one number of the card is in two rows.
            figure = shown["params"]["view"]["children"][0]["children"][0]
            self.assertEqual((figure["text"], figure["size"]), ("18°C", "large"))
            # Days have short names where there is little room.
            words = text(shown["params"]["view"])
            self.assertIn("Thu", words)
            self.assertNotIn("Thursday", words)
            mode["maximumSize"]["width"] = 60
            shown = widget.notify("widgetActiveDisplayModeDidChange", **mode)
            self.assertIn("Thursday", text(shown["params"]["view"]))
            # The place is asked once.
            widget.call("widgetPerformUpdate", reason="schedule")
            self.assertEqual([path[:10] for path in server.paths].count("/v1/search"), 1)

    def test_what_the_server_does_not_know_is_a_dash_and_the_rest_stays(self):
        odd = {**FORECAST, "current": {**FORECAST["current"], "temperature_2m": None, "wind_speed_10m": 1e300}}
        odd["hourly"] = {"temperature_2m": [None, 1.5, None, 2.5]}
        odd["daily"] = {**FORECAST["daily"], "temperature_2m_max": [1e300, None, 13, 14, 15, 16, 17]}
        with Server(("/v1/search", PLACES), ("/v1/forecast", odd)) as server, self.widget(server) as widget:
            widget.initialize(maximumSize={"width": 60, "height": 30})
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            for part in ("☁  –Partly cloudy", "feels like 16°", "wind –", "Today", "Tomorrow", "80 %"):
                self.assertIn(part, words)
            self.assertNotIn("000000", words)

    def test_the_last_forecast_is_there_at_the_next_start(self):
        answers = ("/v1/search", PLACES), ("/v1/forecast", FORECAST)
        with Server(*answers) as server:
            with self.widget(server) as widget:
                widget.initialize()
                widget.call("widgetPerformUpdate", reason="user")
                data = widget.data
            with KitWidget("Weather/weather.py", configuration=widget.configuration, data=data) as again:
                self.assertIn("Partly cloudy", text(again.initialize()["view"]))
            other = {**widget.configuration, "unit": "°F"}
            with KitWidget("Weather/weather.py", configuration=other, data=data) as again:
                self.assertNotIn("view", again.initialize())

    def test_fahrenheit_is_asked_of_the_server(self):
        answers = ("/v1/search", PLACES), ("/v1/forecast", FORECAST)
        with Server(*answers) as server, self.widget(server, unit="°F") as widget:
            widget.initialize()
            self.assertIn("18°F", text(widget.call("widgetPerformUpdate", reason="user")["view"]))
            self.assertIn("temperature_unit=fahrenheit", server.paths[1])

    def test_what_goes_wrong_is_said_in_words(self):
        found = ("/v1/search", PLACES)
        cases = [
            ([("/v1/search", {})], "no place is called “Berlin”"),
            ([("/v1/search", [1])], "something other than places"),
            ([("/v1/search", {"results": [{"name": "x"}]})], "something other than places"),
            ([("/v1/search", 503)], "the server answered 503"),
            ([("/v1/search", b"<html>")], "did not answer with JSON"),
            ([found, ("/v1/forecast", {})], "something other than a forecast"),
            ([found, ("/v1/forecast", {**FORECAST, "current": {"temperature_2m": "hot"}})], None),
            ([found, ("/v1/forecast", {**FORECAST, "daily": {"time": []}})], None),
        ]
        for answers, words in cases:
            with self.subTest(words=words), Server(*answers) as server, self.widget(server) as widget:
                widget.initialize()
                answer = widget.call("widgetPerformUpdate", reason="user")
                if words:
                    self.assertEqual(answer["result"], "failed")
                    self.assertIn(words, answer["error"])

    def test_today_is_the_day_that_the_server_says_it_is(self):
        daily = {**FORECAST["daily"], "time": [f"2031-02-{day:02}" for day in range(1, 8)]}
        for now, dates, words in (
            ("2031-02-03T06:00", daily["time"], "Today☀ Clear13°7°Tue❄ Light snow14°6°10 %"), (None, daily["time"], "Today☁ Overcast18°10°0 %"),
            ("2031-03-03T06:00", daily["time"], "Today☁ Overcast18°10°0 %"),
            ("2031-02-03T06:00", [date + "T00:00" for date in daily["time"]], "Today☀ Clear13°7°Tue❄ Light snow14°6°10 %"),
        ):
            forecast = {**FORECAST, "current": {**FORECAST["current"], "time": now}, "daily": {**daily, "time": dates}}
            with self.subTest(now=now, dates=dates), Server(("/v1/search", PLACES), ("/v1/forecast", forecast)) as server, self.widget(server) as widget:
                widget.initialize()
                self.assertIn(words, text(widget.call("widgetPerformUpdate", reason="user")["view"]))

    def test_numbers_as_texts_are_numbers(self):
        current = {"temperature_2m": "17.6", "apparent_temperature": "-0.2e9", "weather_code": "2", "wind_speed_10m": "11.4"}
        with Server(("/v1/search", PLACES), ("/v1/forecast", {**FORECAST, "current": current})) as server, self.widget(server) as widget:
            widget.initialize()
            words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            for part in ("18°C", "Partly cloudy", "feels like –"):
                self.assertIn(part, words)

    def test_a_place_can_have_its_region_behind_it_or_be_coordinates(self):
        many = {"results": [
            {"name": "Springfield", "latitude": 37.2, "longitude": -93.3, "country_code": "US", "country": "United States", "admin1": "Missouri"},
            None, {"name": "Springfield", "latitude": 39.8, "longitude": -89.6, "country_code": "US", "country": "United States", "admin1": "Illinois"},
        ]}
        found = ("/v1/search", lambda handler, body: many if "name=Springfield&" in handler.path else {})
        for place, words in (
            ("Springfield, Illinois", "latitude=39.8&"), ("springfield,illinois , us", None), ("Springfield, US", "latitude=37.2&"),
            ("Springfield, France", None), ("48.2, 16.37", "latitude=48.2&longitude=16.37&"), ("-33.9° 151.2°", "latitude=-33.9&longitude=151.2&"),
            ("91, 10", None), ("10, 181", None),
        ):
            with self.subTest(place), Server(found, ("/v1/forecast", FORECAST)) as server, self.widget(server, place=place) as widget:
                widget.initialize()
                answer = widget.call("widgetPerformUpdate", reason="user")
                if words:
                    self.assertIn(words, server.paths[-1])
                else:
                    self.assertEqual(answer["error"], f"no place is called “{place}”")

    def test_the_reason_of_the_server_is_said(self):
        reason = {"error": True, "reason": "No data  is available"}
        for answers in ([("/v1/search", reason)], [("/v1/search", PLACES), ("/v1/forecast", reason)]):
            with self.subTest(answers), Server(*answers) as server, self.widget(server) as widget:
                widget.initialize()
                self.assertEqual(widget.call("widgetPerformUpdate", reason="user")["error"], "the server says: No data is available")

    def test_without_a_connection_it_fails_and_says_so(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            values = {"place": "Berlin", "server": url, "places": url}
            with KitWidget("Weather/weather.py", configuration=values) as widget:
                widget.initialize()
                # The place is not asked for again, and the reason is said once.
                view, error = widget.fail_update()
                self.assertEqual(error, "no connection")
                self.assertEqual(text(view), "BerlinNo forecast yet: connection refused.")
                self.assertEqual(fields(view), [])

    def test_a_forecast_stays_without_a_connection(self):
        with Server(("/v1/search", PLACES), ("/v1/forecast", FORECAST)) as server, self.widget(server) as widget:
            widget.initialize()
            widget.call("widgetPerformUpdate", reason="user")
            values, data = widget.configuration, widget.data
        with KitWidget("Weather/weather.py", configuration=values, data=data) as widget:
            self.assertIn("Partly cloudy", text(widget.initialize()["view"]))
            view, error = widget.fail_update()
            self.assertEqual((view, error), (None, "no connection: connection refused"))

    @contextlib.contextmanager
    def forecasts(self):
        """A function that shows one forecast after the other with the same widget."""
        served = []
        answers = ("/v1/search", PLACES), ("/v1/forecast", lambda handler, body: served[-1])
        with Server(*answers) as server, self.widget(server) as widget:
            widget.initialize(maximumSize={"width": 60, "height": 30}, activeDisplayMode="expanded")

            def shown(forecast):
                served.append(forecast)
                answer = widget.call("widgetPerformUpdate", reason="user")
                return text(answer["view"]) if "view" in answer else answer

            yield shown

    def test_each_value_that_is_missing_or_of_another_form_costs_itself_alone(self):
        daily = FORECAST["daily"]
        with self.forecasts() as shown:
            for odd in (None, "x", [], 1e300, -5e9, True, float("nan")):
                # Everything of a day but its date, and all that is measured now but the temperature.
                values = {name: [odd if index == 2 else one for index, one in enumerate(daily[name])] for name in daily}
                current = {**dict.fromkeys(FORECAST["current"], odd), "temperature_2m": 17.6}
                words = shown({**FORECAST, "current": current, "daily": {**values, "time": daily["time"]}})
                for part in ("18°C", "Berlin", "Today", "Tomorrow", "80 %", "Wednesday––", "Sunday"):
                    self.assertIn(part, words, odd)
            for odd in (None, "x", 7):
                words = shown({**FORECAST, "daily": {**daily, "time": [odd, *daily["time"][1:]]}})
                self.assertIn("1 of the days cannot be read", words)
                self.assertIn("Tomorrow", words)

    def test_parts_that_are_missing_cost_themselves_and_an_answer_without_any_is_no_forecast(self):
        with self.forecasts() as shown:
            for name in ("current", "hourly", "daily"):
                for odd in (None, "x"):
                    words = shown({**FORECAST, name: odd})
                    self.assertIn("Berlin", words, (name, odd))
                    self.assertEqual("did not say what comes" in words, name == "daily")
            short = {**FORECAST["daily"], "weather_code": [3], "temperature_2m_min": []}
            self.assertIn("Sunday", shown({**FORECAST, "daily": short}))
            for odd in ([], {}, None, {"error": True, "reason": "too many requests"}):
                self.assertEqual(shown(odd)["result"], "failed")

    def test_numbers_that_cannot_be_measured_are_left_out(self):
        with self.forecasts() as shown:
            self.assertIn("wind –", shown({**FORECAST, "current": {**FORECAST["current"], "wind_speed_10m": -5}}))
            words = shown({**FORECAST, "daily": {**FORECAST["daily"], "precipitation_probability_max": [150, -5, 50]}})
            self.assertIn("50 %", words)
            self.assertNotIn("150", words)
            self.assertNotIn("-5", words)

    def test_a_server_that_answers_in_other_units_is_understood(self):
        units = {"temperature_2m": "°F", "apparent_temperature": "°F", "wind_speed_10m": "m/s"}
        daily = {"temperature_2m_max": "°F", "temperature_2m_min": "K"}
        current = {**FORECAST["current"], "temperature_2m": 64.4, "wind_speed_10m": 10}
        highest = {**FORECAST["daily"], "temperature_2m_max": [50] * 7}
        with self.forecasts() as shown:
            words = shown({**FORECAST, "current": current, "daily": highest, "current_units": units, "daily_units": daily})
            for part in ("18°C", "wind 36 km/h", "Overcast10°–0 %"):
                self.assertIn(part, words)
            for odd in (None, 5, [], {"temperature_2m": 5, "wind_speed_10m": []}):
                self.assertIn("Sunday", shown({**FORECAST, "current_units": odd, "daily_units": odd}))

    def test_no_place_has_the_name_only_if_the_server_says_so(self):
        def said(places):
            with Server(("/v1/search", places), ("/v1/forecast", FORECAST)) as server, self.widget(server) as widget:
                widget.initialize()
                answer = widget.call("widgetPerformUpdate", reason="user")
                return text(answer["view"]) if "view" in answer else answer["error"]

        for places in ({}, {"results": []}, {"results": None}):
            self.assertIn("no place is called", said(places))
        odd = {"latitude": None, "longitude": 13}
        for places in ([], {"error": True, "reason": 5}, {"results": {}}, {"results": "x"}, {"results": [odd, 5, {"latitude": 999, "longitude": 1}]}):
            self.assertIn("something other than places", said(places))
        # Which place is one is asked of the next.
        self.assertIn("Berlin", said({"results": [odd, {"latitude": "52.5", "longitude": 13.4}]}))

    def test_halves_of_a_degree_go_up_as_people_round(self):
        with self.forecasts() as shown:
            for value, words in ((2.5, "3°"), (0.5, "1°"), (-0.4, "0°"), (-1.6, "−2°"), (-0.5, "0°")):
                current = {**FORECAST["current"], "temperature_2m": value}
                self.assertIn(f"{words}C", shown({**FORECAST, "current": current}))


if __name__ == "__main__":
    unittest.main()
