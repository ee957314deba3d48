"""The helpers for Debian packages of widgets."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from commands import run
from pages import ROOT
from program import PROGRAM

HELPERS = ROOT / "Packaging" / "dh-today"
HAS_DEBHELPER = shutil.which("dh") and shutil.which("dpkg-buildpackage")


@unittest.skipUnless(HAS_DEBHELPER, "no debhelper; install debhelper and dpkg-dev")
class PackageOfAWidgetTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.source = self.folder / "tides"
        shutil.copytree(ROOT / "Packaging" / "examples" / "tides", self.source)
        modules = self.folder / "perl" / "Debian" / "Debhelper" / "Sequence"
        modules.mkdir(parents=True)
        shutil.copy(HELPERS / "today.pm", modules)
        programs = self.folder / "bin"
        programs.mkdir()
        shutil.copy(HELPERS / "dh_today", programs)
        self.environment = {
            "PATH": f"{programs}:{Path(PROGRAM).parent}:/usr/bin:/bin", "PERL5LIB": str(self.folder / "perl"),
            "HOME": str(self.folder), "LANG": "C.UTF-8", "DEB_BUILD_OPTIONS": "",
        }

    def build(self, fails=False):
        # The packages that it needs to be built are not installed as such here.
        return run(["dpkg-buildpackage", "-us", "-uc", "-b", "-d"], self.source, self.environment, fails)

    def field(self, name):
        package = self.folder / "today-widget-tides_1.0_all.deb"
        return run(["dpkg-deb", "-f", str(package), name], self.folder, self.environment).strip()

    def dpkg(self, root, *arguments):
        """Installs or removes a package below a folder, without the packages that it needs; only root can do that."""
        if os.geteuid() != 0:
            self.skipTest("only root can install packages")
        admin = root / "var" / "lib" / "dpkg"
        for folder in ["info", "updates"]:
            (admin / folder).mkdir(parents=True, exist_ok=True)
        (admin / "status").touch()
        environment = {**self.environment, "PATH": f"{self.environment['PATH']}:/usr/sbin:/sbin"}
        run(["dpkg", f"--root={root}", "--force-depends", "--log=/dev/null", *arguments], self.folder, environment)

    def test_a_package_of_a_widget_is_ten_lines_and_is_found_when_installed(self):
        lines = [line for name in ["control", "rules"] for line in (self.source / "debian" / name).read_text().splitlines()]
        self.assertLessEqual(len([line for line in lines if line]), 12)
        self.build()
        version = run([PROGRAM, "--version"], self.folder, self.environment).split()[1]
        self.assertEqual(self.field("Depends"), f"today (>= {version}), python3")
        root = self.folder / "root"
        self.dpkg(root, "--install", str(self.folder / "today-widget-tides_1.0_all.deb"))
        bundle = root / "usr/share/today/widgets/Tides.widget"
        self.assertEqual(oct((bundle / "tides").stat().st_mode & 0o777), "0o755")
        self.assertEqual(oct((bundle / "Info.plist").stat().st_mode & 0o777), "0o644")
        found = run([PROGRAM, "list"], self.folder, {**self.environment, "XDG_DATA_DIRS": str(root / "usr/share")})
        self.assertRegex(found, r"com\.example\.tides +new +Tides")
        self.dpkg(root, "--remove", "today-widget-tides")
        self.assertFalse((root / "usr").exists())

    def test_a_package_is_not_made_of_a_widget_that_lint_refuses(self):
        program = self.source / "Tides.widget" / "tides"
        program.write_text(program.read_text().replace('"protocolVersion": 1', '"protocolVersion": "x"'))
        self.assertIn("today lint", self.build(fails=True))
        self.assertFalse((self.folder / "today-widget-tides_1.0_all.deb").exists())

    def test_a_list_names_the_bundles_of_a_package(self):
        (self.source / "widgets").mkdir()
        shutil.move(self.source / "Tides.widget", self.source / "widgets")
        (self.source / "debian" / "today-widget-tides.today").write_text("# The only one.\n\nwidgets/Tides.widget/\n")
        (self.source / "widgets" / "Tides.widget" / "__pycache__").mkdir()
        self.build()
        listed = run(["dpkg-deb", "-c", str(self.folder / "today-widget-tides_1.0_all.deb")], self.folder, self.environment)
        self.assertIn("./usr/share/today/widgets/Tides.widget/tides", listed)
        self.assertNotIn("__pycache__", listed)
        (self.source / "debian" / "today-widget-tides.today").write_text("../Elsewhere.widget\n")
        self.assertIn("expected a .widget or an .app in the sources", self.build(fails=True))

    def test_bundles_with_one_name_and_packages_without_any_are_refused(self):
        for name in ["a", "b"]:
            shutil.copytree(self.source / "Tides.widget", self.source / name / "Tides.widget")
        listing = self.source / "debian" / "today-widget-tides.today"
        listing.write_text("a/Tides.widget\nb/Tides.widget\n")
        self.assertIn("b/Tides.widget: a bundle with this name is in the package already", self.build(fails=True))
        listing.unlink()
        shutil.rmtree(self.source / "Tides.widget")
        self.assertIn("no package has a bundle", self.build(fails=True))

    def test_interpreters_become_packages(self):
        helper = self.source / "Tides.widget" / "helper"
        helper.write_text("#!/usr/bin/env perl\n")
        helper.chmod(0o755)
        self.build()
        self.assertIn("perl, python3", self.field("Depends"))
        helper.write_text("#!/usr/bin/python\n")
        # An editor has left it, and it is not installed.
        backup = helper.with_name("helper~")
        backup.write_text("#!/opt/nowhere/klingon\n")
        backup.chmod(0o755)
        self.build()
        self.assertIn("python-is-python3, python3", self.field("Depends"))
        helper.write_text("#!/opt/nowhere/klingon\n")
        self.environment["DEB_BUILD_OPTIONS"] = "nocheck"
        self.assertIn("no package has the interpreter /opt/nowhere/klingon", self.build(fails=True))


if __name__ == "__main__":
    unittest.main()
