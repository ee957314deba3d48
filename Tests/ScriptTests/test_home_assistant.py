import json
import tempfile
import unittest

from server import Server
from widget import KitWidget, pressable, text


def state(identifier, value, **attributes):
    return {"entity_id": identifier, "state": value, "attributes": attributes}


class HomeAssistantTests(unittest.TestCase):
    def setUp(self):
        self.states = [
            state("light.kitchen", "off", friendly_name="Kitchen"), state("sensor.attic", "17.5", unit_of_measurement="°C"),
            state("switch.old", "unavailable"), {"odd": 1}, 5, state("cover.door", "open"),
        ]
        self.posted = []

    def server(self):
        def toggle(handler, body):
            self.posted.append((handler.headers["Authorization"], json.loads(body)))
            self.states[0]["state"] = "on"
            return []

        def states(handler, body):
            return self.states if handler.headers["Authorization"] == "Bearer secret" else 401

        return Server(("/api/states", states), ("/api/services/homeassistant/toggle", toggle))

    def widget(self, server, data=None, /, **values):
        values = {"server": server.url + "/", "token": "secret", **values}
        return KitWidget("HomeAssistant/home_assistant.py", configuration=values, data=data)

    def update(self, widget):
        return widget.call("widgetPerformUpdate", reason="user")

    def test_lights_and_switches_where_nothing_is_chosen(self):
        with self.server() as server, self.widget(server) as widget:
            widget.initialize()
            words = text(self.update(widget)["view"])
            self.assertEqual(words, "Kitchenswitch.oldunavailable2 statescannot be read")

    def test_a_thermostat_has_its_temperatures(self):
        self.states = [
            state("climate.hall", "heat", current_temperature=20.5, temperature=21, friendly_name="Hall"),
            state("climate.attic", "off", current_temperature=None, temperature="x"),
            state("climate.den", "heat_cool", current_temperature=20, temperature=None, target_temp_low=19, target_temp_high=24.5),
            state("climate.loft", "cool", target_temp_low=None, target_temp_high=24),
            state("climate.porch", "off", current_temperature=-0.04, temperature=0),
        ]
        with self.server() as server, self.widget(server) as widget:
            widget.initialize(activeDisplayMode="expanded")
            self.assertEqual(text(self.update(widget)["view"]), "Hallheat 20.5° → 21°climate.atticoffclimate.denheat_cool 20° → 19° to 24.5°climate.loftcool → 24°climate.porchoff 0° → 0°")

    def test_a_time_is_that_of_the_user(self):
        cases = {
            "2031-02-03T06:00:00+00:00": "2031-02-03 07:00", "2031-07-03T22:30:00Z": "2031-07-04 00:30", "2031-02-03": "2031-02-03",
            "2031-02-03T06:00:00": "2031-02-03T06:00:00", "9999-12-31T23:59:59+00:00": "9999-12-31T23:59:59+00:00", "soon": "soon", "unknown": "unknown",
        }
        self.states = [state(f"sensor.a{index}", value, device_class="timestamp") for index, value in enumerate(cases)]
        self.states.append(state("sensor.b", "2031-02-03T06:00:00+00:00"))
        values = {"token": "secret", "entities": [one["entity_id"] for one in self.states]}
        with self.server() as server, KitWidget("HomeAssistant/home_assistant.py", configuration={"server": server.url, **values}, TZ="Europe/Berlin") as widget:
            widget.initialize(activeDisplayMode="expanded")
            rows = self.update(widget)["view"]["rows"]
            self.assertEqual([row[1]["text"] for row in rows], [*cases.values(), "2031-02-03T06:00:00+00:00"])

    def test_the_address_can_be_that_of_a_page(self):
        with self.server() as server:
            for path in ("/api", "/api/states", "/lovelace/0", "/config/dashboard", "/"):
                with self.subTest(path), self.widget(server, server=f" {server.url}{path}") as widget:
                    widget.initialize()
                    self.assertIn("Kitchen", text(self.update(widget)["view"]))

    def test_instructions_do_not_stay_while_a_server_that_is_set_fails(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with self.server() as server:
            with self.widget(server, folder.name, server="") as widget:
                widget.initialize()
                self.assertIn("No server yet", text(self.update(widget)["view"]))
            with self.widget(server, folder.name, token="wrong") as widget:
                widget.initialize()
                shown = widget.request_of("widgetPerformUpdate", {"reason": "user"})
                self.assertIn("does not accept the token", text(shown["params"]["view"]))
                self.assertEqual(widget.read()["result"]["result"], "failed")
            with self.widget(server, folder.name) as widget:
                widget.initialize()
                self.assertIn("Kitchen", text(self.update(widget)["view"]))
            # Data stay over a failure.
            with self.widget(server, folder.name, token="wrong") as widget:
                widget.initialize()
                self.assertIn("error", self.update(widget))

    def test_chosen_things_and_a_press_that_switches(self):
        chosen = ["sensor.attic", "light.kitchen", "cover.door", "light.gone"]
        with self.server() as server, self.widget(server, entities=chosen) as widget:
            widget.initialize()
            view = self.update(widget)["view"]
            self.assertEqual(text(view), "sensor.attic17.5 °CKitchencover.dooropenlight.goneis not there")
            switches = pressable(view)
            self.assertEqual([(one["action"], one["isOn"]) for one in switches], [("toggle light.kitchen", False), ("toggle cover.door", True)])
            view = widget.call("performAction", action="toggle light.kitchen", value=True)["view"]
            self.assertEqual(self.posted, [("Bearer secret", {"entity_id": "light.kitchen"})])
            self.assertTrue(pressable(view)[0]["isOn"])
            widget.call("performAction", action="toggle ../config", value=True)
            self.assertEqual(len(self.posted), 1)

    def test_what_goes_wrong_is_said_in_words(self):
        with self.server() as server:
            cases = [
                ({"token": "other"}, "does not accept the token"), ({"token": ""}, "the token is missing"),
                ({"server": server.url + "/other"}, "the server answered 404"), ({"server": "home"}, "is not the address"),
            ]
            for values, words in cases:
                with self.subTest(words=words), self.widget(server, **values) as widget:
                    widget.initialize()
                    self.assertIn(words, self.update(widget)["error"])
            with self.widget(server, server="") as widget:
                widget.initialize()
                self.assertIn("No server yet", text(self.update(widget)["view"]))
        with Server(("/api/states", {"message": "x"})) as server, self.widget(server) as widget:
            widget.initialize()
            self.assertIn("something other than states", self.update(widget)["error"])

    def test_a_measurement_with_many_places_has_two_and_everything_else_stays(self):
        cases = {
            "-14.4180002212524": "-14.42", "21.456": "21.46", "0.0004": "0", "-0.001": "0", "17.5": "17.5", "1234": "1234",
            "100": "100", "1.10": "1.10", "1e300": "1e300", "5.551115123125783e-17": "0", "-1e-05": "0",
            "1.25e-1": "0.13", "-0": "0", "-0.0": "0.0", "-0.5": "-0.5", "-10": "-10", "2031-02-03": "2031-02-03", "1.2.345": "1.2.345",
            "nan": "nan", "9" * 50 + ".123": "9" * 50 + ".123", "": "", "heat": "heat", "٣.١٤١٥": "٣.١٤١٥",
        }
        self.states = [state(f"sensor.a{index}", value, state_class="measurement") for index, value in enumerate(cases)]
        texts = ["1.100", "0012.345", "3.14159", "17.5"]
        self.states += [state(f"sensor.b{index}", value) for index, value in enumerate(texts)]
        self.states.append(state("sensor.c", "3.14159", unit_of_measurement="V"))
        with self.server() as server, self.widget(server, entities=[one["entity_id"] for one in self.states]) as widget:
            widget.initialize(activeDisplayMode="expanded")
            rows = self.update(widget)["view"]["rows"]
            # A text without a unit is no measurement, as the version of a firmware.
            self.assertEqual([row[1]["text"] for row in rows], [*cases.values(), *texts, "3.14 V"])

    def test_each_value_that_is_missing_or_of_another_form_costs_itself_alone(self):
        good = state("light.kitchen", "on", friendly_name="Kitchen")
        with self.server() as server, self.widget(server, entities=["light.kitchen", "sensor.a", "climate.b"]) as widget:
            widget.initialize(activeDisplayMode="expanded")

            def shown(sensor, climate):
                self.states = [good, sensor, climate]
                answer = self.update(widget)
                return text(answer["view"]) if "view" in answer else answer["error"]

            fine = state("climate.b", "heat", current_temperature=20.5, temperature=21)
            for odd in (None, True, [1], {}, float("nan"), float("inf"), 10 ** 400):
                words = shown({**state("sensor.a", "x", unit_of_measurement="V"), "state": odd}, fine)
                self.assertEqual(words, "Kitchensensor.acannot be readclimate.bheat 20.5° → 21°", odd)
                words = shown(state("sensor.a", "1", unit_of_measurement=odd, friendly_name=odd), fine)
                self.assertEqual(words, "Kitchensensor.a1climate.bheat 20.5° → 21°", odd)
                words = shown({**state("sensor.a", 1.5), "attributes": odd}, state("climate.b", "heat", current_temperature=odd, temperature="21"))
                self.assertEqual(words, "Kitchensensor.a1.5climate.bheat → 21°", odd)
                self.assertEqual(shown({**fine, "entity_id": odd}, fine), "Kitchenclimate.bheat 20.5° → 21°sensor.ais not there1 statecannot be read", odd)
            for none in ("", "nan", "NaN", "Infinity", "-inf", "None"):
                self.assertIn("sensor.ano value", shown(state("sensor.a", none, unit_of_measurement="V"), fine))
            self.assertIn("sensor.a12345678901234567890.12 V", shown(state("sensor.a", "12345678901234567890.1234", unit_of_measurement="V"), fine))

    def test_bytes_and_numbers_of_an_answer_cost_themselves(self):
        good = b'{"entity_id":"light.kitchen","state":"on","attributes":{"friendly_name":"Kitchen"}}'
        for odd, words in (
            (b'{"entity_id":"light.b","state":"caf\xe9"}', "light.bcaf\ufffd"), (b'{"entity_id":"light.b","state":"a\nb"}', "light.ba"),
            (b'{"entity_id":"light.b","state":' + b"9" * 9999 + b"}", "light.bcannot be read"), (b"9" * 9999, "1 statecannot be read"),
            (b'{"entity_id":"light.b","state":NaN}', "light.bcannot be read"),
        ):
            with self.subTest(odd[:60]), Server(("/api/states", b"[" + good + b"," + odd + b"]")) as server, self.widget(server) as widget:
                widget.initialize(activeDisplayMode="expanded")
                shown = text(self.update(widget)["view"])
                self.assertIn("Kitchen", shown)
                self.assertIn(words, shown)
        for odd in (b"", b"[" * 100_000, b"[1", b'{"message":"x"}', b"null", b"\xff\xfe"):
            with self.subTest(odd[:60]), Server(("/api/states", odd)) as server, self.widget(server) as widget:
                widget.initialize()
                self.assertEqual(self.update(widget)["result"], "failed")

    def test_there_is_nothing_to_show_only_after_a_complete_answer(self):
        for states, words in (([], "There is nothing to show"), ([{}], "1 statecannot be read"), ([state("sun.sun", "up"), 5, None], "2 statescannot be read")):
            self.states = states
            with self.server() as server, self.widget(server) as widget:
                widget.initialize()
                view = widget.fail_update()[0] if states == [{}] else self.update(widget)["view"]
                self.assertTrue(text(view).startswith(words))

    def test_an_update_has_failed_if_nothing_of_what_was_chosen_is_there(self):
        with self.server() as server, self.widget(server, entities=["light.gone", "light.away"]) as widget:
            widget.initialize()
            view, error = widget.fail_update()
            self.assertEqual((text(view).count("is not there"), error), (2, "light.gone is not there"))
        with self.server() as server, self.widget(server, entities=["light.gone", "light.kitchen"]) as widget:
            widget.initialize()
            self.assertEqual(self.update(widget)["result"], "newData")


if __name__ == "__main__":
    unittest.main()
