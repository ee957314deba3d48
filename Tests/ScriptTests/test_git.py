import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from programs import Programs
from widget import ROOT, KitWidget, text

IDENTITY = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
}


class GitTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def git(self, repository, *words, **environment):
        environment = {**os.environ, **IDENTITY, **environment}
        subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True, env=environment)

    def repository(self, name):
        path = self.folder / name
        path.mkdir()
        self.git(path, "init", "-q", "-b", "main")
        (path / "file").write_text("1\n")
        self.git(path, "add", "file")
        self.git(path, "commit", "-q", "-m", "Begin with a file")
        return path

    def update(self, paths, mode="compact", **environment):
        values = {"repositories": [str(path) for path in paths]}
        with KitWidget("Git/git.py", configuration=values, **IDENTITY, **environment) as widget:
            widget.initialize(activeDisplayMode=mode)
            return widget.call("widgetPerformUpdate", reason="user")

    def test_the_state_of_real_repositories(self):
        origin, clean = self.repository("origin"), self.repository("clean")
        self.git(self.folder, "clone", "-q", str(origin), "work")
        work = self.folder / "work"
        (work / "file").write_text("2\n")
        self.git(work, "commit", "-q", "-a", "-m", "Second")
        (origin / "file").write_text("3\n")
        self.git(origin, "commit", "-q", "-a", "-m", "Other")
        self.git(work, "fetch", "-q")
        (work / "file").write_text("4\n")
        self.git(work, "stash")
        (work / "file").write_text("5\n")
        (work / "new").write_text("x")
        self.git(work, "remote", "set-url", "origin", "git@example.com:team/work.git")
        view = self.update([clean, work])["view"]
        self.assertIn("Second", text(view))
        view = {"rows": [row for row in view["rows"] if isinstance(row[0]["text"], list)]}
        # What has something to do is first.
        self.assertEqual([row[0]["text"][0]["text"] for row in view["rows"]], ["work", "clean"])
        self.assertEqual(text(view["rows"][0][2]), "±1 +1 ↑1 ↓1 ≡1")
        self.assertEqual(text(view["rows"][1][2]), "clean")
        self.assertEqual(view["rows"][0][0]["text"][0]["link"], "https://example.com/team/work")
        self.assertIn("Second", text(self.update([work], mode="expanded")["view"]))

    def test_a_repository_without_a_page_offers_no_link(self):
        local = self.repository("local")
        self.git(self.folder, "clone", "-q", "local", "clone")
        for repository in (local, self.folder / "clone"):
            name = self.update([repository])["view"]["rows"][0][0]["text"][0]
            self.assertEqual(name, {"text": repository.name})

    def test_the_age_of_a_commit_is_counted_by_the_host(self):
        path = self.repository("work")
        for seconds in (1_900_000_000, 3600):
            dates = {"GIT_COMMITTER_DATE": f"@{seconds} +0200", "GIT_AUTHOR_DATE": "@60 +0000"}
            self.git(path, "commit", "-q", "--allow-empty", "-m", f"At {seconds}", **dates)
        row = next(row for row in self.update([path])["view"]["rows"] if text(row[1]) == "At 3600")
        style = {"foreground": "secondaryLabel"}
        self.assertEqual(row[2], {"type": "date", "display": "relative", "date": "1970-01-01T01:00:00+00:00", "style": style})
        ages = [row[2]["date"] for row in self.update([path], mode="expanded")["view"]["rows"][1:]]
        self.assertIn("2030-03-17T17:46:40+00:00", ages)

    def test_an_empty_repository_a_conflict_and_folders_that_are_none(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.git(empty, "init", "-q", "-b", "main")
        (self.folder / "plain").mkdir()
        conflict = self.repository("conflict")
        self.git(conflict, "checkout", "-q", "-b", "other")
        (conflict / "file").write_text("a\n")
        self.git(conflict, "commit", "-q", "-a", "-m", "a")
        self.git(conflict, "checkout", "-q", "main")
        (conflict / "file").write_text("b\n")
        self.git(conflict, "commit", "-q", "-a", "-m", "b")
        with self.assertRaises(subprocess.CalledProcessError):
            self.git(conflict, "merge", "other")
        words = text(self.update([empty, self.folder / "plain", self.folder / "gone", conflict])["view"])
        for part in ("emptymainno commits yet", "plainnot a git repository", "gonethere is no such folder", "1 in conflict"):
            self.assertIn(part, words)

    def test_what_was_begun_and_has_not_ended_is_named(self):
        work = self.repository("work")
        for branch in ("one", "two"):
            self.git(work, "checkout", "-q", "-b", branch, "main")
            (work / "file").write_text(branch)
            self.git(work, "commit", "-q", "-a", "-m", branch)

        def begin(*words):
            environment = {**os.environ, **IDENTITY}
            subprocess.run(["git", "-C", work, *words], check=False, capture_output=True, env=environment)
            return self.words(work)

        self.assertEqual(begin("rebase", "one"), "work two rebasing 1 in conflict")
        self.assertEqual(begin("rebase", "--abort"), "work two clean")
        self.assertEqual(begin("merge", "one"), "work two merging 1 in conflict")
        self.assertEqual(begin("merge", "--abort"), "work two clean")
        self.assertEqual(begin("cherry-pick", "one"), "work two picking 1 in conflict")
        self.assertEqual(begin("cherry-pick", "--abort"), "work two clean")
        self.git(work, "commit", "-q", "--allow-empty", "-m", "three")
        # Of several commits, when the conflict of the first is resolved and committed.
        for command, *others, expected in (("cherry-pick", "one", "one^", "picking"), ("revert", "--no-edit", "one", "one^", "reverting")):
            self.assertRegex(begin(command, *others), f"^work two {expected} ")
            (work / "file").write_text(command)
            self.assertEqual(begin("commit", "-q", "-a", "-m", command), f"work two {expected}")
            begin(command, "--quit")
            self.assertEqual(self.words(work), "work two clean")
        self.assertEqual(begin("bisect", "start"), "work two bisecting")
        begin("bisect", "reset")
        self.assertRegex(begin("checkout", "-q", "--detach"), r"work at [0-9a-f]{7} clean")

    def test_folders_that_are_wrong_hide_no_repository(self):
        clean = self.repository("clean")
        view = self.update([self.folder / "a", self.folder / "b", self.folder / "c", self.folder / "d", clean])["view"]
        names = [row[0]["text"][0]["text"] for row in view["rows"]]
        self.assertEqual(names, ["a", "clean", "b", "c"])

    def test_an_upstream_that_is_gone_is_named(self):
        self.repository("origin")
        self.git(self.folder, "clone", "-q", "origin", "work")
        self.git(self.folder / "work", "config", "branch.main.merge", "refs/heads/gone")
        self.assertEqual(self.words(self.folder / "work"), "work main upstream gone")

    def test_a_bare_repository_and_one_without_commits(self):
        self.repository("work")
        self.git(self.folder, "clone", "-q", "--bare", "work", "store.git")
        self.assertEqual(self.words(self.folder / "store.git"), "store.git main bare")
        (self.folder / "new").mkdir()
        self.git(self.folder / "new", "init", "-q", "-b", "main")
        self.assertEqual(self.words(self.folder / "new"), "new main no commits yet")

    def test_the_last_commits_are_below_their_repository_as_far_as_there_is_room(self):
        path = self.repository("work")
        for number in range(11):
            self.git(path, "commit", "-q", "--allow-empty", "-m", f"Commit {number}")
        with KitWidget("Git/git.py", configuration={"repositories": [str(path)]}, **IDENTITY) as widget:
            widget.initialize()
            rows = widget.call("widgetPerformUpdate", reason="user")["view"]["rows"]
            self.assertEqual([row[1]["text"] for row in rows], ["main", "Commit 10", "Commit 9", "Commit 8"])
            self.assertRegex(rows[1][0]["text"], "^[0-9a-f]{7,}$")
            self.assertEqual(widget.mode, "expanded")
            for height, count in ((100, 6), (30, 13), (8, 8)):
                size = {"width": 60, "height": height}
                shown = widget.notify("widgetActiveDisplayModeDidChange", activeDisplayMode="expanded", maximumSize=size)
                self.assertEqual(len(shown["params"]["view"]["rows"]), count, height)

    def test_subjects_are_read_whatever_charset_git_has_for_them(self):
        for name in ("i18n.logOutputEncoding", "i18n.commitEncoding"):
            path = self.repository(name)
            self.git(path, "config", name, "ISO-8859-1")
            subject = "Größer" if name == "i18n.logOutputEncoding" else b"Gr\xf6\xdfer"
            self.git(path, "commit", "-q", "--allow-empty", "-m", subject)
            self.assertIn("Größer", text(self.update([path])["view"]))

    def words(self, repository):
        row = self.update([repository])["view"]["rows"][0]
        return " ".join(part for cell in row for part in text(cell).split())

    def test_the_repository_of_the_page_where_none_is_set(self):
        inside = self.repository("here") / "sub"
        inside.mkdir()
        self.assertIn("main", text(self.update([], TODAY_FOLDER=str(inside))["view"]))
        self.assertIn("No repositories yet", text(self.update([], TODAY_FOLDER=str(self.folder))["view"]))

    def test_a_repository_starts_no_programs_because_it_is_looked_at(self):
        repository = self.repository("hostile")
        mark = self.folder / "mark"
        hook = self.folder / "hook"
        hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
        hook.chmod(0o755)
        self.git(repository, "config", "core.fsmonitor", str(hook))
        self.update([repository])
        self.assertFalse(mark.exists())

    def test_without_git_it_says_what_to_install(self):
        repository = self.repository("one")
        with KitWidget("Git/git.py", configuration={"repositories": [str(repository)]}, PATH=Programs(self).path) as widget:
            widget.initialize()
            view, error = widget.fail_update()
        self.assertEqual(error, "one: git is not installed; install it with: apt install git")
        self.assertIn("git is not installed; install it with: apt install git", text(view))

    def test_an_update_has_failed_only_if_no_repository_can_be_read(self):
        with KitWidget("Git/git.py", configuration={"repositories": ["/none/a", "/none/b"]}, **IDENTITY) as widget:
            widget.initialize()
            view, error = widget.fail_update()
            self.assertEqual((text(view).count("there is no such folder"), error), (2, "a: there is no such folder"))
        answer = self.update(["/none/a", self.repository("one")])
        self.assertEqual(answer["result"], "newData")
        self.assertIn("there is no such folder", text(answer["view"]))

    def test_a_signature_is_no_part_of_the_subject_and_its_program_is_not_run(self):
        repository = self.repository("one")
        ran = self.folder / "ran"
        program = self.folder / "gpg"
        program.write_text(f"#!/bin/sh\ntouch {ran}\necho gpg: Good signature >&2\nexit 1\n")
        program.chmod(0o755)
        key = self.folder / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        self.git(repository, "config", "gpg.format", "ssh")
        self.git(repository, "config", "user.signingkey", str(key))
        self.git(repository, "commit", "-q", "-S", "--allow-empty", "-m", "Signed subject")
        self.git(repository, "config", "log.showSignature", "true")
        self.git(repository, "config", "gpg.ssh.program", str(program))
        words = text(self.update([repository], "expanded")["view"])
        self.assertIn("Signed subject", words)
        self.assertNotIn("ignature", words.replace("Signed", ""))
        self.assertFalse(ran.exists())

    def test_a_repository_of_another_user_says_that_its_ownership_is_the_trouble(self):
        repository = self.repository("one")
        environment = {**IDENTITY, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
        with KitWidget("Git/git.py", configuration={"repositories": [str(repository)]}, **environment) as widget:
            widget.initialize()
            words = text(widget.fail_update()[0])
        self.assertIn("ownership is dubious", words)
        self.assertIn(f"safe.directory {repository}", words)

    def test_the_abbreviation_of_a_remote_is_written_out(self):
        repository = self.repository("one")
        self.git(repository, "config", "url.git@github.com:.insteadOf", "gh:")
        self.git(repository, "remote", "add", "origin", "gh:me/app")
        row = self.update([repository])["view"]["rows"][0]
        self.assertEqual(row[0]["text"][0]["link"], "https://github.com/me/app")

    def test_a_remote_with_another_name_is_the_remote(self):
        repository = self.repository("one")
        self.git(repository, "remote", "add", "upstream", "git@github.com:me/app")
        row = self.update([repository])["view"]["rows"][0]
        self.assertEqual(row[0]["text"][0]["link"], "https://github.com/me/app")
        self.git(repository, "remote", "add", "origin", "https://host.example/me/app")
        row = self.update([repository])["view"]["rows"][0]
        self.assertEqual(row[0]["text"][0]["link"], "https://host.example/me/app")

    def test_a_rebase_has_its_branch_with_merges_and_with_patches(self):
        for backend in ("merge", "apply"):
            for is_detached in (False, True):
                repository = self.repository(f"{backend} {is_detached}")
                (repository / "a").write_text("base\n")
                self.git(repository, "add", "-A")
                self.git(repository, "commit", "-q", "-m", "base")
                self.git(repository, "branch", "other")
                self.git(repository, "checkout", "-q", "-b", "topic")
                (repository / "a").write_text("mine\n")
                self.git(repository, "commit", "-q", "-a", "-m", "mine")
                self.git(repository, "checkout", "-q", "other")
                (repository / "a").write_text("theirs\n")
                self.git(repository, "commit", "-q", "-a", "-m", "theirs")
                self.git(repository, "checkout", "-q", *(["--detach"] if is_detached else []), "topic")
                with self.assertRaises(subprocess.CalledProcessError):
                    self.git(repository, "rebase", f"--{backend}", "other")
                words = text(self.update([repository])["view"]["rows"][0])
                self.assertIn("rebasing", words)
                self.assertRegex(words, r"at [0-9a-f]{7}" if is_detached else "topic")
                self.assertNotIn("detached HEAD", words)

    def test_patches_that_are_applied_are_no_rebase(self):
        repository = self.repository("one")
        (repository / ".git/rebase-apply").mkdir()
        (repository / ".git/rebase-apply/applying").touch()
        self.assertIn("applying", text(self.update([repository])["view"]))


def imported():
    """The module of the widget."""
    paths = [str(ROOT / "Widgets" / name) for name in ("Shared", "Git")]
    sys.path[:0] = paths
    try:
        import git
    finally:
        for path in paths:
            sys.path.remove(path)
    return git


class RemoteTests(unittest.TestCase):
    def test_a_commit_of_no_year_has_no_age(self):
        git = imported()
        for seconds in ("", "x", "9" * 25, "-" + "9" * 25, "9" * 5000):
            self.assertIsNone(git.moment(seconds), seconds[:30])
            self.assertEqual(git.commit_row("0123", "Subject", git.moment(seconds))[2], "")

    def test_a_tree_is_clean_only_after_a_whole_answer(self):
        git = imported()
        head = "# branch.oid 0123\n# branch.head main\n"
        for output, is_clean in (
            (head, True), (head + "# branch.upstream origin/main\n# branch.ab +x -y\n", True), (head + "# branch.ab +" + "9" * 5000 + " -1\n", True),
            (head + "# stash ٣\n# new.header 5\n", True), (head + "# stash " + "9" * 5000 + "\n", True), (head + "? a\n", False), (head + "# stash 2\n", False),
        ):
            one = git.Repository("/tmp")
            one.take(output)
            self.assertEqual(one.is_clean, is_clean, output[:60])
        for output in ("", "\n", "garbage\n", "# branch.oid 0123\n", head + "fatal: what\n"):
            with self.assertRaisesRegex(git.Failure, "git did not answer in the format"):
                git.Repository("/tmp").take(output)

    def test_the_page_of_a_remote(self):
        git = imported()
        cases = {
            "git@github.com:a/b.git": "https://github.com/a/b", "ssh://git@host.example:22/a/b": "https://host.example/a/b",
            "https://token@host.example/a/b.git": "https://host.example/a/b", "https://host.example:8443/a/b/": "https://host.example:8443/a/b",
            "http://home.example:3000/a/b.git": "http://home.example:3000/a/b",
            "https://dev.azure.com/org/My%20Project/_git/repo": "https://dev.azure.com/org/My%20Project/_git/repo",
            "https://gitlab.com/libc++/my+repo.git": "https://gitlab.com/libc++/my+repo",
            "git@gitlab.com:libc++/my+repo.git": "https://gitlab.com/libc++/my+repo",
            "git@ssh.dev.azure.com:v3/org/My%20Project/repo": "https://dev.azure.com/org/My%20Project/_git/repo",
            "org@vs-ssh.visualstudio.com:v3/org/proj/repo": "https://dev.azure.com/org/proj/_git/repo",
            "git@host.example:v3/org/proj/repo": "https://host.example/v3/org/proj/repo",
            "git@github.com-work:me/app.git": "https://github.com/me/app", "ssh://git@gitlab.com_home/me/app": "https://gitlab.com/me/app",
            "git@github.com.example:a/b": "https://github.com.example/a/b", "git@gitlab.com.au:a/b": "https://gitlab.com.au/a/b",
            "ssh://git.example.org/a/b.git": "https://git.example.org/a/b", "ssh://git.example.org:2222/a/b": "https://git.example.org/a/b",
            "github.com:a/b.git": "https://github.com/a/b", "git.example.org:/a/b.git": "https://git.example.org/a/b",
            "work:a/b": None, "C:\\a\\b": None, "ext::ssh host a": None, "a.b:": None, "git.example.org://a/b": None,
            "ssh://git@ssh.github.com:443/a/b.git": "https://github.com/a/b", "git@altssh.gitlab.com:a/b": "https://gitlab.com/a/b",
            "git@github.com:/a/b.git": "https://github.com/a/b", "git+ssh://git@host.example/a/b": "https://host.example/a/b",
            "HTTPS://github.com/a/b": "https://github.com/a/b",
            "/srv/git/a.git": None, "file:///srv/a": None, "javascript:alert(1)": None, "": None, "git@host:a b": None,
        }
        for remote, address in cases.items():
            self.assertEqual(git.page(remote), address, remote)


if __name__ == "__main__":
    unittest.main()
