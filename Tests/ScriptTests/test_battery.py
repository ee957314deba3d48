import tempfile
import unittest
from pathlib import Path

from widget import KitWidget, cells, text

UNKNOWN = "BAT0does not say how full it is"


class BatteryTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def supply(self, name, **values):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for key, value in values.items():
            (folder / key).write_text(f"{value}\n")

    def view(self):
        with KitWidget("Battery/battery.sh", TODAY_POWER=str(self.folder)) as widget:
            return widget.initialize()["view"]

    def test_without_a_battery_it_says_so(self):
        self.supply("AC", type="Mains", online=1)
        self.supply("hid-mouse", type="Battery", scope="Device", capacity=50)
        self.assertEqual(text(self.view()), "This machine has no battery.")

    def test_how_full_it_is_and_how_long_it_lasts(self):
        values = {"type": "Battery", "energy_now": 30_000_000, "energy_full": 50_000_000, "power_now": 12_000_000}
        self.supply("BAT0", **values, capacity=60, status="Discharging")
        view = self.view()
        gauge = cells(view)[1]
        self.assertEqual((gauge["value"], gauge["maximum"], gauge["valueLabel"]), (60, 100, "60 %"))
        self.assertEqual(text(view), "BAT02 h 30 min left")
        self.supply("BAT0", status="Charging")
        self.assertEqual(text(self.view()), "BAT0Charging, full in 1 h 40 min")

    def test_a_battery_can_count_charge_and_a_current_below_zero(self):
        self.supply("BAT1", type="Battery", capacity=50, status="Discharging", charge_now=2000000,
                    charge_full=4000000, current_now=-1000000)
        self.assertEqual(text(self.view()), "BAT12 h 0 min left")

    def test_a_rate_in_the_other_unit_is_converted_by_the_voltage(self):
        charge = {"charge_now": 2_000_000, "charge_full": 4_000_000, "voltage_now": 8_000_000}
        energy = {"energy_now": 20_000_000, "energy_full": 40_000_000, "voltage_now": 10_000_000}
        for number, (values, words) in enumerate((
            ({**charge, "power_now": 8_000_000}, "2 h 0 min left"), ({**energy, "current_now": -1_000_000}, "2 h 0 min left"),
            ({**energy, "power_now": 40_000_000, "current_now": 1_000_000}, "0 h 30 min left"), ({**energy, "current_now": 0}, "Discharging"),
            ({**charge, "power_now": 8_000_000, "voltage_now": 0}, "Discharging"), ({**charge, "power_now": 10**14}, "Discharging"),
            ({**energy, "current_now": 10**8, "voltage_now": 10**14}, "Discharging"), ({**energy, "current_now": "x"}, "Discharging"),
        )):
            self.supply(f"BAT{number}", type="Battery", capacity=50, status="Discharging", **values)
            with self.subTest(values):
                self.assertTrue(text(self.view()).endswith(f"BAT{number}{words}"))

    def test_a_driver_that_counts_nothing_says_the_time_itself(self):
        for number, (values, words) in enumerate((
            ({"status": "Discharging", "time_to_empty_now": 5400}, "1 h 30 min left"), ({"status": "Discharging", "time_to_empty_avg": 5400}, "1 h 30 min left"),
            ({"status": "Charging", "time_to_full_now": 60}, "Charging, full in 0 h 1 min"), ({"status": "Charging", "time_to_empty_now": 60}, "Charging"),
            ({"status": "Discharging", "time_to_empty_now": 0}, "Discharging"), ({"status": "Discharging", "time_to_empty_now": "x"}, "Discharging"),
            ({"status": "Discharging", "energy_now": 5, "energy_full": 9, "power_now": 0, "time_to_empty_now": 60}, "0 h 1 min left"),
            ({"status": "Discharging", "energy_now": 6, "energy_full": 9, "power_now": 3, "time_to_empty_now": 60}, "2 h 0 min left"),
        )):
            self.supply(f"BAT{number}", type="Battery", capacity=50, **values)
            with self.subTest(values):
                self.assertTrue(text(self.view()).endswith(f"BAT{number}{words}"))

    def test_odd_values_cost_what_they_say(self):
        cases = [
            ({"capacity": 150, "status": "Full"}, "BAT0Full"), ({"capacity": "", "status": "Full"}, UNKNOWN),
            ({"capacity": -5}, UNKNOWN), ({"capacity": "08"}, UNKNOWN), ({"capacity": "0x32"}, UNKNOWN), ({"capacity": "50.5"}, UNKNOWN),
            ({"charge_now": "0800", "charge_full": 1000}, UNKNOWN), ({"capacity": "0"}, "BAT0"),
            ({"capacity": 5, "status": "Discharging", "energy_now": 5, "energy_full": 5, "power_now": "-08"}, "BAT0Discharging"), ({"capacity": "99999999999999999999"}, UNKNOWN), ({"capacity": 7}, "BAT0"),
            ({"charge_now": 5, "charge_full": 0}, UNKNOWN), ({"charge_now": "x", "charge_full": 5}, UNKNOWN),
            ({"charge_now": 10**14, "charge_full": 1, "status": "Full"}, "BAT0Full"),
            ({"capacity_level": "Low"}, "BAT0Low"), ({"capacity_level": '"odd'}, UNKNOWN),
            ({"capacity": 5, "status": "Discharging", "energy_now": "x", "energy_full": 1, "power_now": 1}, "BAT0Discharging"),
            ({"capacity": 5, "status": "Discharging", "energy_now": 10**14, "energy_full": 1, "power_now": 1}, "BAT0Discharging"),
            ({"capacity": 5, "status": "Discharging", "energy_now": 5, "energy_full": 5, "power_now": 0}, "BAT0Discharging"),
            ({"capacity": 5, "status": 'a"\\\x1b[2J'}, "BAT0"),
        ]
        for values, words in cases:
            with self.subTest(values=values):
                for file in self.folder.glob("*/*"):
                    file.unlink()
                self.supply("BAT0", type="Battery", **values)
                self.assertEqual(text(self.view()), words)

    def test_an_update_without_a_change_is_no_data(self):
        self.supply("BAT0", type="Battery", capacity=60, status="Full")
        with KitWidget("Battery/battery.sh", TODAY_POWER=str(self.folder)) as widget:
            widget.initialize()
            update = widget.call("widgetPerformUpdate", reason="schedule")
            self.assertEqual(update, {"result": "noData", "refreshAfter": 60})
            self.supply("BAT0", capacity=59)
            self.assertEqual(widget.call("widgetPerformUpdate", reason="schedule")["result"], "newData")

    def test_a_battery_that_does_not_charge_is_not_called_full(self):
        cases = [
            ({"capacity": 60, "status": "Not charging"}, "BAT0Not charging"),
            ({"capacity": 60, "status": "Not charging", "charge_control_end_threshold": 60}, "BAT0Not charging, limit 60 %"),
            ({"capacity": 80, "status": "Full", "charge_control_end_threshold": 80}, "BAT0Not charging, limit 80 %"),
            ({"capacity": 97, "status": "Full", "charge_control_end_threshold": 100}, "BAT0Full"),
            ({"capacity": 50, "status": "Charging", "charge_control_end_threshold": 80, "energy_now": 25, "energy_full": 50,
              "power_now": 10}, "BAT0Charging, 80 % in 1 h 30 min"),
            ({"capacity": 80, "status": "Unknown"}, "BAT0"),
            ({"capacity": 100, "status": "Charging", "energy_now": 50, "energy_full": 50, "power_now": 5}, "BAT0Charging"),
            ({"capacity": 100, "status": "Charging", "charge_now": 51, "charge_full": 50, "current_now": 5}, "BAT0Charging"),
            ({"capacity": 81, "status": "Charging", "charge_control_end_threshold": 80, "energy_now": 81, "energy_full": 100,
              "power_now": 5}, "BAT0Charging"),
            ({"capacity": 0, "status": "Discharging", "energy_now": 0, "energy_full": 50, "power_now": 5}, "BAT0Discharging"),
        ]
        for values, words in cases:
            with self.subTest(values=values):
                for file in self.folder.glob("*/*"):
                    file.unlink()
                self.supply("BAT0", type="Battery", **values)
                self.assertEqual(text(self.view()), words)

    def test_without_a_capacity_the_level_is_counted(self):
        self.supply("BAT0", type="Battery", status="Discharging", charge_now=1_500_000, charge_full=2_000_000)
        self.supply("BAT1", type="Battery", energy_now=30, energy_full="", energy_full_design=60)
        self.supply("BAT2", type="Battery", energy_now="", charge_now=1, charge_full=3, current_now=0)
        levels = [cell["valueLabel"] for cell in cells(self.view()) if isinstance(cell, dict) and cell["type"] == "gauge"]
        self.assertEqual(levels, ["75 %", "50 %", "33 %"])

    def test_a_bay_without_a_battery_is_left_out_and_several_batteries_are_shown(self):
        self.supply("BAT0", type="Battery", capacity=80, present=1, status="Full")
        self.supply("BAT1", type="Battery", capacity=0, present=0, status="Unknown")
        self.supply("BAT2", type="Battery", capacity=20)
        self.assertEqual(text(self.view()), "BAT0Not chargingBAT2")
        self.supply("BAT0", present=0)
        self.supply("BAT2", present=0)
        self.assertEqual(text(self.view()), "This machine has no battery.")

    def test_where_there_are_no_supplies_to_be_read_nothing_is_said_of_batteries(self):
        self.folder = self.folder / "gone"
        self.assertEqual(text(self.view()), f"Batteries cannot be seen: {self.folder} cannot be read.")


if __name__ == "__main__":
    unittest.main()
