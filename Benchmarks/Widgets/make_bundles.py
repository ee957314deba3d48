"""Creates a folder of `.widget` bundles that contain the benchmark's widget.

usage: make_bundles.py FOLDER WIDGET COUNT push|rest|due|more|bash
WIDGET is widget.bash for `bash`. With `more` the first bundle has the button and the others rest.
"""

import os
import plistlib
import sys
from pathlib import Path


def titles(count: int) -> list[str]:
    """The names of the cards in the order of the page."""
    digits = 3 if count > 99 else 2
    return [f"Bench{number:0{digits}}" for number in range(1, count + 1)]


def make_bundles(folder: Path, widget: Path, count: int, mode: str) -> None:
    """Creates the bundles; their executable is one file with many links, so it is in memory only once."""
    for index, title in enumerate(titles(count)):
        bundle = folder / f"{title}.widget"
        bundle.mkdir(parents=True)
        with open(bundle / "Info.plist", "wb") as file:
            plistlib.dump(
                {
                    "CFBundleIdentifier": f"com.example.benchmarks.{title}",
                    "CFBundleDisplayName": title,
                    "CFBundleName": title,
                    "CFBundleExecutable": "widget",
                    "CFBundleShortVersionString": "1.0",
                    "CFBundleVersion": "1",
                    "NSExtension": {
                        "NSExtensionPointIdentifier": "com.apple.widget-extension",
                        "NSExtensionPrincipalClass": title,
                    },
                },
                file,
            )
        os.link(widget, bundle / "widget")
        own_mode = "rest" if mode == "more" and index > 0 else mode
        (bundle / "mode").write_text(own_mode)


if __name__ == "__main__":
    make_bundles(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
