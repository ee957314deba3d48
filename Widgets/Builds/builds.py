#!/usr/bin/python3 -ESB
"""Builds: the last run of repositories on GitHub and GitLab, through gh or glab, or with a token."""

import datetime
import json
import re
import shutil
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from todaykit import Failure, Widget, date, fetch_json, grid, run, secondary, text, vstack

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
# Of a repository, or of one of its pages, in a browser, or as it is cloned. What is behind it is a page: on GitHub what
# follows two names, on GitLab, which has groups in groups, what follows /-/.
ADDRESS = re.compile(
    r"(?:https?://|ssh://git@|git@)?(?:www\.)?(?:(github\.com)[/:]([\w.-]+/[\w.-]+?)|(gitlab\.com)[/:]([\w./-]+?))"
    r"(?:\.git)?(?:(?(1)/|/-/)[^?#]*)?/?(?:[?#].*)?",
    re.IGNORECASE,
)
NAME = re.compile(r"(?:(gitlab|github):)?([\w.-]+(?:/[\w.-]+)+)")
WORST = ["failed", "running", "waiting", "cancelled", "passed", "skipped"]
# The builds of a repository in the expanded card.
LONG = 6
# As much as the clock of a server is ahead of that of the machine.
CLOCK_SECONDS = 600
# The columns from which on there is room for the branch too.
WIDE = 50


class Build:
    def __init__(self, repository, state, branch, title, link, date, commit=None, workflow=None, series=None, start=None):
        self.repository, self.branch, self.title = repository, string(branch), string(title)
        self.commit, self.workflow = commit, string(workflow)
        #: What of the same commit is run again with it, and when it was started, also again.
        self.series, self.start = series, string(start)
        self.is_one_of_several = False
        if not isinstance(state, str) or not state:
            raise TypeError("state")
        self.state = STATES.get(state.lower(), "waiting")
        self.link = link if str(link).startswith("https://") or str(link).startswith("http://") else None
        try:
            self.date = datetime.datetime.fromisoformat(str(date).replace("Z", "+00:00"))
        except ValueError:
            self.date = None
        # Years before are zeroes of programs.
        if self.date and self.date.year < 1990:
            self.date = None
        if self.date and not self.date.tzinfo:
            self.date = self.date.replace(tzinfo=datetime.timezone.utc)


class Answer:
    """The builds of a repository, and how many of its answer cannot be read; `trouble` says in words why there are none."""

    def __init__(self, name, builds=(), unreadable=0, trouble=None):
        self.name, self.builds, self.unreadable, self.trouble = name, list(builds), unreadable, trouble


def short_name(name):
    """A repository as owner/name, of which people copy the address; anything else as it is."""
    match = ADDRESS.fullmatch(name)
    if not match:
        return name
    return match[2] or f"gitlab:{match[4]}"


def branch_of(reference):
    """The name of a branch, or of the merge request that a pipeline is for, as GitLab writes it elsewhere."""
    match = re.fullmatch(r"refs/merge-requests/([0-9]{1,12})/(?:head|merge|train)", string(reference))
    return f"!{match.group(1)}" if match else reference


def series_of(run):
    """What tells runs of a workflow from those of others; one for a pull request has other files, those of the merge."""
    workflow = run.get("workflow_id") or run.get("name")
    return f"{workflow} {str(run.get('event')).startswith('pull_request')}" if workflow else None


def string(value):
    return value if isinstance(value, str) else ""


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
            answers = list(pool.map(self.ask, names if isinstance(names, list) else [names]))
        if all(answer.trouble for answer in answers):
            # The builds that were known before stay on the card, as old as they are.
            raise Failure(f"{answers[0].trouble} ({answers[0].name})")
        self.answers = answers
        return self.draw()

    def ask(self, name):
        """The builds of a repository; one that cannot be read costs itself alone."""
        match = NAME.fullmatch(short_name(str(name).strip()))
        if not match:
            return Answer(str(name), trouble="a repository is owner/name, or gitlab:group/name")
        kind, path = match.groups()
        try:
            values, make = self.gitlab(path) if kind == "gitlab" else self.github(path)
        except Failure as failure:
            return Answer(path, trouble=str(failure))
        builds, unreadable = [], 0
        for value in values if isinstance(values, list) else [None]:
            try:
                builds.append(make(value))
            except (KeyError, TypeError, AttributeError):
                unreadable += 1
        if unreadable and not builds:
            return Answer(path, trouble="the server answered with something other than builds")
        return Answer(path, worst_first(builds), unreadable)

    def github(self, path):
        """What the server says of builds, and what makes one of each."""
        answer = self.api("gh", f"repos/{path}/actions/runs?per_page=20", self.setting("github", GITHUB) + "/", "githubToken")
        runs = answer.get("workflow_runs") if isinstance(answer, dict) else None
        # That there are none is said only where nothing says otherwise.
        runs = None if runs == [] and answer.get("total_count", 0) != 0 else runs
        return runs, lambda run: Build(
            path, run.get("conclusion") or run["status"], run.get("head_branch"), run.get("display_title") or run.get("name"),
            run.get("html_url"), run["updated_at"], run.get("head_sha"), run.get("name"), series_of(run), run.get("run_started_at"),
        )

    def gitlab(self, path):
        project = urllib.parse.quote(path, safe="")
        server = self.setting("gitlab", GITLAB).rstrip("/") + "/api/v4/"
        answer = self.api("glab", f"projects/{project}/pipelines?per_page=5", server, "gitlabToken")
        return answer, lambda one: Build(
            path, one["status"], branch_of(one.get("ref")), one.get("name"), one.get("web_url"), one["updated_at"] or one.get("created_at")
        )

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
            if "rate limit" in str(failure).lower():
                hint = "" if token else "; with a token, set with ,, it is higher"
                raise Failure(f"no more requests are allowed for now{hint}") from failure
            if "answered 404" in str(failure) or "answered 403" in str(failure):
                raise Failure("not found, or a token is needed; set one with ,") from failure
            raise

    def draw(self):
        full, short = [], []
        for answer in sorted(self.answers, key=order):
            name = answer.name
            if answer.trouble:
                rows = [["", text(name, truncation="middle"), text(answer.trouble, "orange"), ""]]
            else:
                rows = [self.row(name, build) for build in answer.builds[:LONG]]
                rows = rows or [["", text(name, truncation="middle"), secondary("no builds"), ""]]
                if answer.unreadable:
                    # It is beside the state of the others, which is not that of all.
                    words = f"{answer.unreadable} build{'' if answer.unreadable == 1 else 's'} cannot be read · "
                    rows[0][2]["text"] = [{"text": words, "style": {"foreground": "orange"}}, rows[0][2]["text"]]
            full += rows
            short += rows[:1]
        shapes = [{"priority": 1}, {"alignment": "leading"}, {"alignment": "leading"}, {"alignment": "trailing", "priority": 1}]
        return grid(self.fit(full, short), shapes, spacing=1)

    def row(self, name, build):
        sign, colour = LOOKS[build.state]
        link = {"link": build.link} if build.link else {}
        # The host counts the age, also between updates.
        now = self.now()
        has_age = build.date and (now - build.date).total_seconds() > -CLOCK_SECONDS
        age = date(min(build.date, now), "relative", style={"foreground": "secondaryLabel"}) if has_age else secondary("")
        parts = [build.branch, build.title] if self.width >= WIDE else [build.title or build.branch]
        parts.append(build.workflow if build.is_one_of_several else None)
        title = " · ".join(part for part in parts if part)
        return [
            text(sign, colour, accessibilityLabel=build.state),
            text([{"text": name, **link}], truncation="middle"),
            secondary(title),
            age,
        ]


def worst_first(builds):
    """The builds with those of the newest commit first, the last one of each workflow: those that failed before others."""
    last = {}
    for one in sorted(builds, key=lambda one: one.start, reverse=True):
        if one is builds[0] or (one.commit and one.commit == builds[0].commit):
            last.setdefault(one.series or one, one)
    newest = [one for one in builds if one in last.values()]
    for one in newest:
        one.is_one_of_several = len(newest) > 1
    newest.sort(key=lambda one: WORST.index(one.state))
    return newest + [one for one in builds if one not in newest]


def order(answer):
    """Repositories whose builds cannot be had are first, then those that failed."""
    return 0 if answer.trouble else 1 if answer.builds and answer.builds[0].state == "failed" else 2


if __name__ == "__main__":
    Builds().run()
