#!/usr/bin/python3 -ESB
"""Builds: the last run of repositories on GitHub and GitLab, through gh or glab, or with a token."""

import datetime
import json
import re
import shutil
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from todaykit import Failure, Widget, duration_words, fetch_json, grid, run, secondary, text, vstack

GITHUB, GITLAB = "https://api.github.com", "https://gitlab.com"
# The states of both in one word each.
STATES = {
    "success": "passed", "failure": "failed", "failed": "failed", "timed_out": "failed", "startup_failure": "failed",
    "cancelled": "cancelled", "canceled": "cancelled", "canceling": "cancelled", "skipped": "skipped", "neutral": "passed",
    "action_required": "waiting", "manual": "waiting", "scheduled": "waiting", "queued": "waiting", "created": "waiting",
    "requested": "waiting", "waiting": "waiting", "pending": "waiting", "waiting_for_resource": "waiting",
    "preparing": "running", "in_progress": "running", "running": "running", "stale": "cancelled",
}
LOOKS = {
    "passed": ("✓", "green"), "failed": ("✗", "red"), "running": ("●", "yellow"), "waiting": ("○", "yellow"),
    "cancelled": ("–", "secondaryLabel"), "skipped": ("–", "secondaryLabel"),
}
NAME = re.compile(r"(?:(gitlab|github):)?([\w.-]+(?:/[\w.-]+)+)")
WORST = ["failed", "running", "waiting", "cancelled", "passed", "skipped"]
# The builds of a repository in the expanded card.
LONG = 6
# The columns from which on there is room for the branch too.
WIDE = 50


class Build:
    def __init__(self, repository, state, branch, title, link, date, commit=None, workflow=None):
        self.repository, self.branch, self.title = repository, branch or "", title or ""
        self.commit, self.workflow = commit, workflow
        self.is_one_of_several = False
        self.state = STATES.get(state or "", "waiting")
        self.link = link if str(link).startswith("https://") or str(link).startswith("http://") else None
        try:
            self.date = datetime.datetime.fromisoformat(str(date).replace("Z", "+00:00"))
        except ValueError:
            self.date = None


class Builds(Widget):

    def initialize(self):
        self.answers = []

    def view(self):
        return self.draw() if self.answers else None

    def widget_perform_update(self, reason):
        names = self.setting("repositories", [])
        if not names:
            return self.instructions("No repositories yet.", "Press , to list them, such as owner/name.")
        with ThreadPoolExecutor(4) as pool:
            self.answers = list(pool.map(self.ask, names))
        troubles = [answer for _, answer in self.answers if isinstance(answer, str)]
        if len(troubles) == len(self.answers):
            raise Failure(f"{troubles[0]} ({self.answers[0][0]})")
        return self.draw()

    def ask(self, name):
        """The builds of a repository; words if they cannot be had."""
        match = NAME.fullmatch(name.strip())
        if not match:
            return name, "a repository is owner/name, or gitlab:group/name"
        kind, path = match.groups()
        try:
            return path, worst_first(self.gitlab(path) if kind == "gitlab" else self.github(path))
        except Failure as failure:
            return path, str(failure)
        except (KeyError, TypeError, AttributeError):
            return path, "the server answered with something else than builds"

    def github(self, path):
        answer = self.api("gh", f"repos/{path}/actions/runs?per_page=20", self.setting("github", GITHUB) + "/", "githubToken")
        return [
            Build(path, run["conclusion"] or run["status"], run["head_branch"], run.get("display_title") or run["name"],
                  run["html_url"], run["updated_at"], run.get("head_sha"), run.get("name"))
            for run in answer["workflow_runs"]
        ]

    def gitlab(self, path):
        project = urllib.parse.quote(path, safe="")
        server = self.setting("gitlab", GITLAB).rstrip("/") + "/api/v4/"
        answer = self.api("glab", f"projects/{project}/pipelines?per_page=5", server, "gitlabToken")
        return [Build(path, one["status"], one["ref"], one.get("name"), one["web_url"], one["updated_at"]) for one in answer]

    def api(self, program, query, server, secret):
        """An answer of the program where there is one and no token was set, else of the server."""
        token = self.setting(secret)
        is_standard = server.startswith((GITHUB, GITLAB))
        if not token and is_standard and shutil.which(program):
            try:
                return json.loads(run([program, "api", query], seconds=15))
            except ValueError as error:
                raise Failure(f"{program} did not answer with JSON") from error
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            return fetch_json(server + query, headers=headers)
        except Failure as failure:
            if "answered 401" in str(failure):
                raise Failure("the server does not accept the token; set another one with ,") from failure
            if "answered 404" in str(failure) or "answered 403" in str(failure):
                raise Failure("not found, or a token is needed; set one with ,") from failure
            raise

    def draw(self):
        full, short = [], []
        for name, builds in sorted(self.answers, key=lambda pair: isinstance(pair[1], list) and order(pair[1])):
            if isinstance(builds, str):
                rows = [["", text(name, truncation="middle"), text(builds, "orange"), ""]]
            else:
                rows = [self.row(name, build) for build in builds[:LONG]]
                rows = rows or [["", text(name, truncation="middle"), secondary("no builds"), ""]]
            full += rows
            short += rows[:1]
        shapes = [{"priority": 1}, {"alignment": "leading"}, {"alignment": "leading"}, {"alignment": "trailing", "priority": 1}]
        return grid(self.fit(full, short), shapes, spacing=1)

    def row(self, name, build):
        sign, colour = LOOKS[build.state]
        link = {"link": build.link} if build.link else {}
        age = duration_words((self.now() - build.date).total_seconds()) if build.date else ""
        parts = [build.branch, build.title] if self.width >= WIDE else [build.title or build.branch]
        parts.append(build.workflow if build.is_one_of_several else None)
        title = " · ".join(part for part in parts if part)
        return [
            text(sign, colour, accessibilityLabel=build.state),
            text([{"text": name, **link}], truncation="middle"),
            secondary(title),
            secondary(age),
        ]


def worst_first(builds):
    """The builds with those of the newest commit first, of which each workflow has one: those that failed before others."""
    newest = [one for one in builds if one.commit and one.commit == builds[0].commit] or builds[:1]
    for one in newest:
        one.is_one_of_several = len(newest) > 1
    newest.sort(key=lambda one: WORST.index(one.state))
    return newest + [one for one in builds if one not in newest]


def order(builds):
    """Those that failed are first."""
    return 1 if builds and builds[0].state == "failed" else 2


if __name__ == "__main__":
    Builds().run()
