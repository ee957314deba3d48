"""A home folder and servers for the pictures of the gallery: each widget has something to show, and none of your files is read.

The answers of servers and the output of programs are made up. What System, Processes and others show is this machine.
"""

import datetime
import http.server
import json
import subprocess
import threading
from pathlib import Path

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)
HOUR = datetime.timedelta(hours=1)
# Programs that are asked by widgets, in their place.
PROGRAMS = {
    "Music": ("playerctl", "printf 'Playing\\037Entry of the Clowns\\037The Town Band\\037Saturday\\037180000000\\03765000000\\037\\037band\\n'"),
    "Services": ("systemctl", "case $* in *--user*) ;; *list-units*) echo 'certbot.service loaded failed failed Renew certificates' ;; esac"),
    "Containers": (
        "docker",
        "case $* in ps*) printf '%064d\\tweb\\trunning\\tUp 3 hours\\tnginx:1\\n%064d\\tjob\\texited\\tExited (1) 2 days ago\\tworker\\n' 1 2 ;;"
        " stats*) printf '%064d\\t12.34%%\\t20.5MiB / 1.9GiB\\n' 1 ;; esac",
    ),
}


def build(name, conclusion, minutes):
    run = {
        "conclusion": conclusion,
        "status": "completed" if conclusion else "in_progress",
        "head_branch": "main",
        "display_title": name,
        "name": "CI",
        "html_url": "https://example.com/run",
        "updated_at": (NOW - datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return {"workflow_runs": [run]}


def thing(identifier, value, name, **attributes):
    return {"entity_id": identifier, "state": value, "attributes": {"friendly_name": name, **attributes}}


def feed():
    entries = [(1, "The small car is mended"), (3, "Custard prices fall"), (20, "Three weddings this weekend")]
    items = "".join(
        f"<item><title>{title}</title><link>https://example.com/{hours}</link><guid>{hours}</guid>"
        f"<pubDate>{(NOW - hours * HOUR).strftime('%a, %d %b %Y %H:%M:%S +0000')}</pubDate></item>"
        for hours, title in entries
    )
    return f"<rss version='2.0'><channel><title>Town Paper</title>{items}</channel></rss>"


def answers():
    """What the server answers, by the beginning of the path."""
    days = [(NOW + number * DAY).strftime("%Y-%m-%d") for number in range(7)]
    prices = [("AAPL.US", 200, 205.5), ("EURUSD", 1.05, 1.045), ("^DAX", 18200, 18431)]
    return {
        "/v1/search": {"results": [{"name": "Copenhagen", "latitude": 55.7, "longitude": 12.6}]},
        "/v1/forecast": {
            "current": {"temperature_2m": 17.6, "apparent_temperature": 16.2, "weather_code": 2, "wind_speed_10m": 11.4},
            "hourly": {"temperature_2m": [12 + 6 * (hour % 24 > 8) - abs(hour % 24 - 14) / 3 for hour in range(48)]},
            "daily": {
                "time": days,
                "weather_code": [3, 61, 0, 71, 95, 45, 1],
                "temperature_2m_max": [18, 12, 13, 14, 15, 16, 17],
                "temperature_2m_min": [9, 8, 7, 6, 5, 4, 3],
                "precipitation_probability_max": [0, 80, 10, 10, 20, 30, 40],
            },
        },
        "/stocks": "Symbol,Date,Time,Open,High,Low,Close,Volume,Name\r\n"
        + "".join(f"{name},{days[0]},22:00:00,{first},{first},{first},{last},1000,{name}\r\n" for name, first, last in prices),
        "/repos/town/car/": build("Mend the door", "success", 4),
        "/repos/town/band/": build("Louder trumpets", "failure", 31),
        "/repos/town/custard/": build("More of it", None, 1),
        "/feed": feed(),
        "/api/states": [
            thing("light.kitchen", "on", "Kitchen"),
            thing("switch.fan", "off", "Fan"),
            thing("sensor.attic", "17.5", "Attic", unit_of_measurement="°C"),
        ],
    }


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = next((answer for path, answer in answers().items() if self.path.startswith(path)), None)
        body = found.encode() if isinstance(found, str) else json.dumps(found).encode()
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def calendar():
    entries = [(0, "0900", "0930", "Breakfast with the band"), (0, "1500", "1630", "Juggling class"), (0, "2000", "2200", "Cinema")]
    entries += [(1, "1100", "1200", "Wedding, the first of three"), (1, "1400", "1500", "Wedding, the second"), (4, "0800", "0830", "Dentist")]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//today//gallery//EN"]
    for number, (days, start, end, summary) in enumerate(entries):
        date = (NOW + days * DAY).strftime("%Y%m%d")
        lines += ["BEGIN:VEVENT", f"UID:{number}", f"DTSTART:{date}T{start}00", f"DTEND:{date}T{end}00", f"SUMMARY:{summary}", "END:VEVENT"]
    return "".join(line + "\r\n" for line in [*lines, "END:VCALENDAR"])


def todo():
    days = {name: f"due:{NOW + number * DAY:%Y-%m-%d}" for name, number in (("late", -1), ("today", 0), ("soon", 1), ("later", 30))}
    return (
        f"(A) Call Ida about the three weddings {days['late']} +town\n(B) Custard for Saturday {days['soon']} @shop +band\n"
        f"Return the ladder {days['today']}\nMend the small car {days['later']} @garage\nRead about balloons\nx {NOW:%Y-%m-%d} Wash the big shoes\n"
    )


def settings(home, url):
    return {
        "Weather": {"place": "Copenhagen", "server": url, "places": url},
        "Stocks": {"symbols": ["AAPL.US", "EURUSD", "^DAX"], "server": url + "/stocks?{symbols}"},
        "Builds": {"repositories": ["town/band", "town/custard", "town/car"], "github": url, "githubToken": {"file": f"{home}/token"}},
        "Feeds": {"feeds": [url + "/feed"]},
        "HomeAssistant": {"server": url, "token": {"file": f"{home}/token"}, "entities": ["light.kitchen", "switch.fan", "sensor.attic"]},
        "Mail": {"maildir": f"{home}/mail"},
        "Git": {"repositories": [f"{home}/car"]},
        "Notes": {"file": f"{home}/notes.txt"},
    }


def expanded(value):
    return {**value, "displayMode": "expanded"} if value.get("offersExpanded") else value


class SampleHome:
    """The home folder, with its server while it is used in a `with`."""

    def __init__(self, folder):
        self.home = Path(folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        home, url = self.home, f"http://127.0.0.1:{self.server.server_port}"
        for name in ("mail/new", "mail/cur", "mail/tmp", ".config/today", ".local/share/today/calendars", "car"):
            (home / name).mkdir(parents=True)
        (home / "token").write_text("token")
        (home / "token").chmod(0o600)
        (home / "notes.txt").write_text("Ask Ida about the shoes\nThe ladder is at the baker's\n")
        (home / "todo.txt").write_text(todo())
        (home / ".local/share/today/calendars/town.ics").write_text(calendar())
        for number, (sender, subject) in enumerate([("Ida <ida@example.com>", "The weddings"), ("Corbin <corbin@example.com>", "Re: suspenders")]):
            head = f"From: {sender}\r\nSubject: {subject}\r\nDate: {NOW - number * HOUR:%a, %d %b %Y %H:%M:%S +0000}\r\n\r\n"
            (home / f"mail/new/{number}.town").write_text(head)
        battery = home / "power/BAT0"
        battery.mkdir(parents=True)
        charge = {"type": "Battery", "capacity": 62, "status": "Discharging", "energy_now": 31000000, "energy_full": 50000000, "power_now": 9000000}
        for name, value in charge.items():
            (battery / name).write_text(f"{value}\n")
        git = ["git", "-C", str(home / "car"), "-c", "user.name=Ida", "-c", "user.email=ida@example.com", "-c", "init.defaultBranch=main"]
        for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "Mend the door"]):
            subprocess.run(git + words, check=False, capture_output=True)
        (home / "car/horn.txt").write_text("Louder\n")
        # A sandbox would hide these files from the widgets that ask the user for them.
        widgets = {f"org.today.{name}": one for name, one in settings(home, url).items()}
        (home / ".config/today/config.json").write_text(json.dumps({"sandbox": "off", "widgets": widgets}))
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def expand(self):
        """Chooses More on all cards that have it, for the programs that are started from now on."""
        for record in (self.home / ".local/state/today").rglob("*.json"):
            text = record.read_text()
            if '"offersExpanded"' in text:
                record.write_text(json.dumps(json.loads(text, object_hook=expanded)))

    def prepare(self, bundle):
        """Puts a program that a widget asks in front of those of this machine, in a copy of its bundle."""
        name = bundle.name.split(".")[0]
        if name not in PROGRAMS:
            return
        program, script = PROGRAMS[name]
        folder = self.home / "programs"
        folder.mkdir(exist_ok=True)
        (folder / program).write_text(f"#!/bin/sh\n{script}\n")
        (folder / program).chmod(0o755)
        for path in (path for path in bundle.iterdir() if path.stem == name.lower()):
            first, rest = path.read_text().split("\n", 1)
            path.write_text(f"{first}\nimport os\nos.environ['PATH'] = '{folder}:' + os.environ['PATH']\n{rest}")
