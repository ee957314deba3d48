"""A page of the program with the scripts of the gallery, and stand-ins for all servers and programs that they ask."""

import contextlib
import importlib
import json
import subprocess
import tempfile
from pathlib import Path

import test_gallery_code
import test_gallery_machine
import test_gallery_places
import test_gallery_servers
import test_gallery_upkeep
from gallery_scripts import SCRIPTS, path_of
from programs import Programs
from server import Server

NAMES = sorted(path.name.split(".")[0] for path in SCRIPTS.iterdir() if path.name[0] != ".")
# What scripts need of the system besides the programs that they name.
STANDARD = ("env", "python3", "awk", "tr", "tail", "sort", "date", "timeout", "head")
MODULES = (test_gallery_code, test_gallery_servers, test_gallery_places)


class GalleryPage:
    """A home folder with scripts and their settings; `with` gives the page while its servers run."""

    def __init__(self, program, is_filled=True):
        self.program, self.is_filled = program, is_filled
        self.settings = {"gpu": {"VAR_DRM": "/nonexistent"}, "updates": {"VAR_REBOOT": "/nonexistent"}}
        self.secrets = {}

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.home = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.programs = Programs(self)
        if self.is_filled:
            self.fill()
        for name in STANDARD:
            if not (self.programs.folder / name).exists():
                self.programs.add_real(name)
        scripts = self.home / ".config" / "today" / "scripts"
        scripts.mkdir(parents=True)
        for name in NAMES:
            (scripts / path_of(name).name).symlink_to(path_of(name))
        widgets = {f"script.{name}": values for name, values in self.settings.items()}
        (scripts.parent / "config.json").write_text(json.dumps({"widgets": widgets}))
        return self

    def __exit__(self, *_):
        self.stack.close()

    def addCleanup(self, function, *arguments):  # noqa: N802, as a test has it
        self.stack.callback(function, *arguments)

    def fill(self):
        """Gives all scripts their settings, and what they ask good answers."""
        # Many answers say how long ago something was, counted from when their module was read.
        for module in (test_gallery_machine, test_gallery_upkeep, *MODULES):
            importlib.reload(module)
        test_gallery_machine.stand_ins(self.programs)
        test_gallery_upkeep.stand_ins(self.programs)
        cases = {name: case for module in MODULES for name, case in module.CASES.items()}
        # A longer path is not the beginning of a shorter one.
        routes = sorted(((case[2], case[3]) for case in cases.values()), key=lambda one: -len(one[0]))
        routes += [*test_gallery_code.OTHERS, *test_gallery_servers.OTHERS, ("/gtfs.zip", test_gallery_places.gtfs()), ("/up", b"fine")]
        server = self.stack.enter_context(Server(*routes))
        for name, (values, address, *_) in cases.items():
            text = path_of(name).read_text()
            self.settings[name] = {address: server.url}
            for key, value in values.items():
                # A secret cannot be in a file of settings.
                place = self.secrets if f"secret({key})" in text else self.settings[name]
                place[key] = value
        self.settings["departures"] = {"VAR_FEED": f"{server.url}/gtfs.zip", "VAR_STOPS": "main st"}
        self.settings["sites"] = {"VAR_SITES": f"{server.url}/up"}
        self.settings["sun"] = {"VAR_PLACE": "52.52, 13.40"}
        self.settings["updates"]["VAR_SYSTEM"] = "apt"
        self.settings["wireguard"] = test_gallery_machine.PROGRAMS["wireguard"][0]
        for name in ("borg", "restic"):
            self.settings[name] = {"VAR_REPOSITORIES": "/srv/backup"}

    def snapshot(self, names, *options):
        """What the program prints of cards, and what it says about them."""
        environment = {"HOME": str(self.home), "PATH": self.programs.path, "LANG": "C.UTF-8", "TZ": "UTC", **self.secrets}
        done = subprocess.run(
            [self.program, "snapshot", *(f"script.{name}" for name in names), "--timeout", "30", *options],
            env=environment, cwd=self.home, capture_output=True, text=True, timeout=60, check=False,
        )
        return done.stdout, done.stderr

    def cards(self, names, *options):
        """The cards by the names of their scripts, and what the program says about them."""
        output, notes = self.snapshot(names, "--format", "json", *options)
        return {card["bundleIdentifier"].removeprefix("script."): card for card in json.loads(output)["cards"]}, notes
