"""The signed repository of packages."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import run
from pages import ROOT

HAS_ARCHIVE = shutil.which("apt-ftparchive") and shutil.which("gpg") and shutil.which("apt-get")


@unittest.skipUnless(HAS_ARCHIVE, "no apt-ftparchive, gpg or apt-get; install apt-utils and gpg")
class RepositoryTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.home = self.folder / "keys"
        self.home.mkdir(mode=0o700)
        self.environment = {**os.environ, "GNUPGHOME": str(self.home), "LANG": "C.UTF-8", "APT_KEY": ""}
        self.addCleanup(lambda: subprocess.run(["gpgconf", "--kill", "all"], env=self.environment, check=False))
        for name in ["good", "other"]:
            run(["gpg", "--batch", "--passphrase", "", "--quick-generate-key", f"{name} <{name}@example.org>",
                 "ed25519", "sign", "never"], self.folder, self.environment)
        self.packages = self.folder / "packages"
        content = self.folder / "content" / "DEBIAN"
        content.mkdir(parents=True)
        self.packages.mkdir()
        for name, architecture in [("today", "amd64"), ("today-widget-tides", "all")]:
            (content / "control").write_text(
                f"Package: {name}\nVersion: 1.0\nArchitecture: {architecture}\nMaintainer: T <t@example.org>\n"
                "Description: a test\n")
            run(["dpkg-deb", "--root-owner-group", "-b", str(content.parent), str(self.packages)],
                self.folder, self.environment)
        self.repository = self.folder / "apt"

    def make(self, key="good@example.org", fails=False):
        return run([str(ROOT / "Scripts" / "apt"), str(self.packages), str(self.repository)], self.folder,
                   {**self.environment, "APT_KEY": key}, fails)

    def apt(self, *words, key="today.asc", fails=False):
        """Runs apt with folders of its own, and the repository as the only source."""
        root = self.folder / "root"
        for name in ["etc/apt/preferences.d", "state/lists/partial", "cache/archives/partial", "dpkg"]:
            (root / name).mkdir(parents=True, exist_ok=True)
        (root / "dpkg" / "status").touch()
        keyring = self.repository / key
        (root / "sources.list").write_text(f"deb [arch=amd64 signed-by={keyring}] file:{self.repository} stable main\n")
        options = {
            "Dir::Etc": root / "etc/apt", "Dir::Etc::sourcelist": root / "sources.list", "Dir::Etc::sourceparts": "-",
            "Dir::State": root / "state", "Dir::State::status": root / "dpkg/status", "Dir::Cache": root / "cache",
            "APT::Architecture": "amd64", "APT::Sandbox::User": "", "Acquire::Languages": "none",
        }
        words = ["apt-get", *(f"-o{name}={value}" for name, value in options.items()), *words]
        return run(words, self.folder, self.environment, fails)

    def test_apt_gets_packages_from_the_signed_repository(self):
        self.make()
        self.apt("update")
        self.apt("download", "today", "today-widget-tides")
        self.assertTrue((self.folder / "today_1.0_amd64.deb").exists())
        self.assertTrue((self.folder / "today-widget-tides_1.0_all.deb").exists())
        for name in ["Release", "Release.gpg", "InRelease", "main/binary-amd64/Packages.gz", "main/binary-amd64/Packages.xz"]:
            self.assertTrue((self.repository / "dists/stable" / name).exists(), name)
        page = (self.repository / "index.html").read_text()
        self.assertIn("today.asc", page)
        self.assertRegex(page, "[0-9A-F]{40}")

    def test_only_the_key_that_signs_is_trusted(self):
        for name in ["good tester", "good builder"]:
            run(["gpg", "--batch", "--passphrase", "", "--quick-generate-key", f"{name} <b@example.com>", "ed25519", "sign",
                 "never"], self.folder, self.environment)
        self.assertIn("there are several secret keys good", self.make("good", fails=True))
        # A public key of somebody else, whose name is part of the same words.
        run(["gpg", "--batch", "--yes", "--delete-secret-keys", *self.fingerprints("b@example.com")],
            self.folder, self.environment)
        self.make("good")
        names = run(["gpg", "--show-keys", "--with-colons", str(self.repository / "today.asc")], self.folder,
                    self.environment)
        self.assertIn("good@example.org", names)
        self.assertNotIn("b@example.com", names)

    def fingerprints(self, key):
        words = run(["gpg", "--with-colons", "--list-secret-keys", key], self.folder, self.environment).splitlines()
        return [line.split(":")[9] for line in words if line.startswith("fpr:")]

    def test_others_can_read_the_repository_whatever_the_umask_is(self):
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        self.make()
        for path in self.repository.rglob("*"):
            self.assertTrue(path.stat().st_mode & 0o004, path)

    def test_the_repository_is_refused_with_another_key_or_a_changed_list(self):
        self.make()
        run(["gpg", "--batch", "--output", str(self.repository / "other.gpg"), "--export", "other@example.org"],
            self.folder, self.environment)
        words = self.apt("update", key="other.gpg", fails=True)
        self.assertIn("is not signed", words)
        release = self.repository / "dists/stable/InRelease"
        release.write_text(release.read_text().replace("Origin: today", "Origin: evil!"))
        (self.repository / "dists/stable/Release.gpg").unlink()
        self.apt("update", fails=True)
        self.make()
        self.apt("update")
        # A package that is another one than in the list.
        for file in (self.repository / "pool").rglob("today_*.deb"):
            file.write_bytes(file.read_bytes()[:-1] + b"x")
        self.apt("download", "today", fails=True)

    def test_a_repository_without_a_key_is_not_made_and_says_how_to_make_one(self):
        words = self.make(key="", fails=True)
        self.assertIn("gpg --quick-generate-key", words)
        self.assertIn("make apt APT_KEY=ID", words)
        self.assertIn("there is no secret key", self.make(key="nobody@example.org", fails=True))
        self.assertFalse(self.repository.exists())
        self.make()
        shutil.rmtree(self.packages)
        self.packages.mkdir()
        self.assertIn("make deb makes them", self.make(fails=True))
        self.assertTrue((self.repository / "today.asc").exists(), "the one before stays whole")


if __name__ == "__main__":
    unittest.main()
