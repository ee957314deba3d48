"""Scripts of the gallery about code: reviews, notifications and releases."""

import time
import unittest

from gallery_scripts import GalleryTest, ago, mutations
from server import Server


REVIEWS = {
    "total_count": 2, "incomplete_results": False,
    "items": [
        {
            "title": "Fix the parser of dates", "number": 1347, "html_url": "https://github.com/octo/hello/pull/1347",
            "repository_url": "https://api.github.com/repos/octo/hello", "user": {"login": "octocat", "id": 1},
            "created_at": ago(days=3), "updated_at": ago(hours=1), "draft": False, "state": "open", "comments": 0,
        },
        {
            "title": "Draw wide characters", "number": 12, "html_url": "https://github.com/octo/term/pull/12",
            "repository_url": "https://api.github.com/repos/octo/term", "user": {"login": "hubot", "id": 2},
            "created_at": ago(hours=5), "updated_at": ago(hours=5), "draft": False, "state": "open", "comments": 2,
        },
    ],
}
NOTIFICATIONS = [
    {
        "id": "1", "unread": True, "reason": "subscribed", "updated_at": ago(hours=2),
        "subject": {"title": "Release 2.0", "url": "https://api.github.com/repos/octo/hello/issues/9", "type": "Issue"},
        "repository": {"full_name": "octo/hello", "html_url": "https://github.com/octo/hello"},
    },
    {
        "id": "2", "unread": True, "reason": "review_requested", "updated_at": ago(days=1),
        "subject": {"title": "Greetings", "url": "https://api.github.com/repos/octo/hello/pulls/7", "type": "PullRequest"},
        "repository": {"full_name": "octo/hello", "html_url": "https://github.com/octo/hello"},
    },
]
REQUESTS = [{
    "iid": 1, "title": "Draft of the parser", "web_url": "https://gitlab.example/my/project/-/merge_requests/1",
    "references": {"short": "!1", "full": "my/project!1"}, "author": {"username": "admin"}, "created_at": ago(days=4),
    "updated_at": ago(days=1), "draft": False, "has_conflicts": True, "state": "opened", "detailed_merge_status": "mergeable",
}]
TODOS = [
    {
        "id": 102, "action_name": "marked", "target_type": "MergeRequest", "target": {"title": "Change the greeting", "iid": 7},
        "target_url": "https://gitlab.example/gnuwget/wget2/-/merge_requests/7", "body": "Change the greeting",
        "state": "pending", "created_at": ago(hours=1), "project": {"path_with_namespace": "gnuwget/wget2"},
    },
    {
        "id": 98, "action_name": "build_failed", "target_type": "MergeRequest", "target": {"title": "Read dates", "iid": 8},
        "target_url": "https://gitlab.example/gnuwget/wget2/-/merge_requests/8", "body": "Read dates",
        "state": "pending", "created_at": ago(days=2), "project": {"path_with_namespace": "gnuwget/wget2"},
    },
]
RELEASES = [{
    "tag_name": "v1.0.0", "name": "Swift wings", "draft": False, "prerelease": False, "published_at": ago(days=2),
    "html_url": "https://github.com/octo/hello/releases/v1.0.0",
}]
NEWS = {"hits": [
    {"objectID": "41000001", "title": "A terminal of our own", "url": "https://www.example.com/a", "points": 120, "num_comments": 45},
    {"objectID": "41000002", "title": "Ask HN: How do you sleep?", "points": 380, "num_comments": 412},
], "nbHits": 2}

# A script, its settings (the server is that of the test), the paths and answers, and those of an account with nothing.
CASES = {
    "github-reviews": ({"VAR_GITHUB_TOKEN": "t"}, "VAR_GITHUB_API", "/search/issues", REVIEWS, {**REVIEWS, "total_count": 0, "items": []}),
    "github-notifications": ({"VAR_GITHUB_TOKEN": "t"}, "VAR_GITHUB_API", "/notifications", NOTIFICATIONS, []),
    "gitlab-reviews": ({"VAR_GITLAB_TOKEN": "t"}, "VAR_GITLAB", "/api/v4/merge_requests", REQUESTS, []),
    "gitlab-todos": ({"VAR_GITLAB_TOKEN": "t"}, "VAR_GITLAB", "/api/v4/todos", TODOS, []),
    "releases": ({"VAR_REPOSITORIES": "octo/hello"}, "VAR_GITHUB_API", "/repos/octo/hello/releases", RELEASES, None),
    "hacker-news": ({}, "VAR_SERVER", "/api/v1/search", NEWS, None),
}
OTHERS = [("/api/v4/user", {"id": 7, "username": "me"})]


class ServerCases:
    """What every script has to do that asks a server.

    `CASES` has for each script its settings, the one that is the address of the server, the path and a good answer, and the
    answer of an account with nothing, if there is one that is well. `OTHERS` are other paths and answers. The settings in
    `STANDARD` have a default with which a script runs without any.
    """

    STANDARD = ()

    def ask(self, name, answer=None, columns=60, seconds=None, **more):
        settings, address, path, good, _ = self.CASES[name]
        self.serve((path, good if answer is None else answer), *self.OTHERS)
        return self.run_script(name, columns, seconds, **{**settings, address: self.server.url, **more})

    def test_a_script_without_its_settings_says_which_one_to_set(self):
        for name, (settings, address, *_) in self.CASES.items():
            if settings and address not in self.STANDARD:
                printed = self.run_script(name)
                self.assertEqual(printed.status, 0)
                self.assertIn(next(iter(settings)), printed.text.replace("\n", " "))

    def test_an_account_with_nothing_is_well(self):
        for name, (*_, empty) in self.CASES.items():
            if empty is not None:
                self.assertTrue(self.ask(name, empty).summary.startswith("✓ "), name)

    def test_a_server_that_refuses_is_named_with_what_to_do(self):
        for name in self.CASES:
            for status, expected in ((401, "does not accept"), (403, "refused"), (404, "no such page"), (429, "rate-limiting"), (500, "(500)")):
                printed = self.ask(name, status)
                self.assertEqual(printed.status, 1, name)
                self.assertIn("127.0.0.1", printed.error)
                self.assertIn(expected, printed.error)
                self.assertEqual(printed.output, "")

    def test_an_answer_that_is_half_there_or_something_else_is_never_well(self):
        for name in self.CASES:
            for answer in (b"", b"{", b"<html>", b'{"items": [', b"null", b"{}", b'"x"', b"5", b"[1e999999]", b"\xff\xfe"):
                printed = self.ask(name, answer)
                self.check(printed, words=f"{name} {answer}")
                self.assertFalse(printed.summary.startswith("✓"), f"{name} {answer}")

    def test_no_wrong_value_breaks_a_card(self):
        for name, (settings, address, path, good, _) in self.CASES.items():
            answers = {}
            server = self.serve((path, lambda *_, answers=answers: answers["now"]), *self.OTHERS)
            for place, answers["now"] in mutations(good):
                printed = self.run_script(name, **{**settings, address: server.url})
                self.check(printed, words=f"{name} {place}")


class CodeTests(ServerCases, GalleryTest):
    CASES, OTHERS = CASES, OTHERS

    def test_the_oldest_review_is_first_and_marked_and_opens(self):
        printed = self.ask("github-reviews")
        self.assertEqual(printed.summary, "! 2 to review, 1 overdue")
        self.assertRegex(printed.top[0].text, r"^! Fix the parser of dates  octo/hello#1347 · octocat +3 d$")
        self.assertEqual(printed.top[0].link, "https://github.com/octo/hello/pull/1347")
        self.assertEqual(self.server.headers[0]["Authorization"], "Bearer t")

    def test_a_search_that_is_not_complete_does_not_say_that_nothing_waits(self):
        printed = self.ask("github-reviews", {"total_count": 0, "incomplete_results": True, "items": []})
        self.assertEqual((printed.status, printed.output), (1, ""))
        self.assertEqual(self.ask("github-reviews", CASES["github-reviews"][4]).summary, "✓ Nothing to review")

    def test_notifications_about_you_are_first_and_open_their_page(self):
        printed = self.ask("github-notifications")
        self.assertEqual(printed.summary, "! 2 unread, 1 about you")
        self.assertEqual([row.link for row in printed.top], [
            "https://github.com/octo/hello/pull/7", "https://github.com/octo/hello/issues/9",
        ])

    def test_merge_requests_say_who_wrote_them_and_what_stops_them(self):
        printed = self.ask("gitlab-reviews", columns=70)
        self.assertRegex(printed.top[0].text, r"^! Draft of the parser  conflicts · my/project!1 · admin +4 d$")
        self.assertIn("reviewer_id=7", self.server.paths[1])

    def test_todos_of_builds_that_failed_are_first(self):
        printed = self.ask("gitlab-todos")
        self.assertEqual(printed.summary, "✗ 2 to do, 1 broken")
        self.assertTrue(printed.top[0].text.startswith("✗ Read dates  build failed"))

    def test_a_repository_that_is_gone_costs_itself_alone(self):
        printed = self.ask("releases", VAR_REPOSITORIES="octo/hello, octo/gone, ../etc")
        self.assertEqual(printed.summary, "! 1 new release, 2 cannot be read")
        self.assertEqual(printed.names()[0], "? octo/gone  127.0.0.1 has no such page (404)")
        self.assertEqual(printed.names()[1], "? ../etc  a repository is owner/name")
        self.assertRegex(printed.top[2].text, r"^★ hello  v1.0.0 · Swift wings +2 d$")

    def test_the_story_with_the_most_points_is_first_and_opens_with_its_comments(self):
        printed = self.ask("hacker-news")
        self.assertRegex(printed.top[1].text, r"^▲ A terminal of our own  example.com · 45 comments +120$")
        links = [(row.text, row.link) for row in printed.rows if row.text.startswith("Open")]
        self.assertEqual(links, [
            ("Open the story", "https://news.ycombinator.com/item?id=41000002"),
            ("Open the story", "https://www.example.com/a"),
            ("Open the comments", "https://news.ycombinator.com/item?id=41000001"),
        ])

    def test_a_token_is_not_sent_to_another_server(self):
        other = Server(("/", REVIEWS))
        other.__enter__()
        self.addCleanup(other.__exit__)

        def redirect(handler, _):
            handler.send_response(302)
            handler.send_header("Location", other.url.replace("127.0.0.1", "localhost"))
            handler.end_headers()
            return b""

        self.assertIn("redirects to http://localhost; set that address", self.ask("github-reviews", redirect).error)
        self.assertEqual(other.paths, [])

    def test_a_server_that_does_not_answer_is_not_waited_for(self):
        for name in ("github-reviews", "releases"):
            printed = self.ask(name, lambda *_: time.sleep(0.2) or b"[]", seconds=0.1)
            self.assertIn("did not answer within 0.1 s", printed.error)
        settings, address, *_ = CASES["hacker-news"]
        self.assertIn("cannot be reached", self.run_script("hacker-news", **{**settings, address: "http://127.0.0.1:9"}).error)
        self.assertIn("not an address", self.run_script("hacker-news", **{**settings, address: "file:///etc/passwd"}).error)


if __name__ == "__main__":
    unittest.main()
