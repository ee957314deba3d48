import json
import unittest

from programs import Programs
from server import Server
from widget import KitWidget, text

NOW = "2031-02-03T06:00:00Z"


def github(conclusion, status="completed"):
    return {"workflow_runs": [{
        "conclusion": conclusion, "status": status, "head_branch": "main", "display_title": "Fix it", "name": "CI",
        "html_url": "https://github.example/run/1", "updated_at": "2031-02-03T05:30:00Z",
    }]}


GITLAB = [{"status": "running", "ref": "dev", "web_url": "https://gitlab.example/1", "updated_at": "2031-02-03T05:59:30.5Z"}]


def refusal(status, answer):
    """An answer that refuses and says why in JSON."""

    def send(handler, _):
        content = json.dumps(answer).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)
        raise ConnectionError  # all is sent

    return send


class BuildsTests(unittest.TestCase):
    def setUp(self):
        self.programs = Programs(self)

    def widget(self, server=None, **values):
        servers = {"github": server.url, "gitlab": server.url} if server else {}
        return KitWidget("Builds/builds.py", configuration={**servers, **values}, PATH=self.programs.path)

    def update(self, widget, width=60):
        widget.initialize(now=NOW, maximumSize={"width": width, "height": 40})
        return widget.call("widgetPerformUpdate", reason="user")

    def test_builds_of_both_from_their_servers_those_that_failed_first(self):
        answers = [
            ("/repos/a/b/", github("success")), ("/repos/a/c/", github("failure")),
            ("/api/v4/projects/group%2Fsub%2Fd/pipelines", GITLAB),
        ]
        with Server(*answers) as server:
            names = ["a/b", "a/c", "gitlab:group/sub/d"]
            with self.widget(server, repositories=names, githubToken="one", gitlabToken="two") as widget:
                view = self.update(widget)["view"]
            words = text(view)
            self.assertTrue(words.startswith("✗a/cmain · Fix it2031-02-03T05:30"), words)
            self.assertIn("●group/sub/ddev", words)
            self.assertEqual(view["rows"][0][1]["text"][0]["link"], "https://github.example/run/1")
            self.assertEqual({one.get("Authorization") for one in server.headers}, {"Bearer one", "Bearer two"})

    def test_of_several_workflows_the_one_that_failed_is_first_with_its_name(self):
        runs = [("Lint", "success", "1"), ("Tests", "failure", "1"), ("Deploy", None, "1"), ("Docs", "failure", "0")]
        answer = {"workflow_runs": [
            {**github(state)["workflow_runs"][0], "name": name, "head_sha": commit} for name, state, commit in runs
        ]}
        with Server(("/repos/a/b/", answer)) as server, self.widget(server, repositories=["a/b"], githubToken="x") as widget:
            words = text(self.update(widget)["view"])
            order = [words.index(part) for part in ("✗a/bmain · Fix it · Tests", "○a/bmain · Fix it · Deploy", "✓a/bmain · Fix it · Lint", "✗a/bmain · Fix it2031-02-03T05:30")]
            self.assertEqual(order, sorted(order))

    def test_of_several_runs_of_a_workflow_on_one_commit_the_last_one_counts(self):
        def first(*runs):
            answer = {"workflow_runs": [{**github(state)["workflow_runs"][0], "head_sha": "1", **more} for state, more in runs]}
            with Server(("/repos/a/b/", answer)) as server, self.widget(server, repositories=["a/b"], githubToken="x") as widget:
                return text(self.update(widget)["view"]["rows"][0])

        start = "2031-02-03T05:{}:00Z".format
        self.assertEqual(first(("success", {}), ("failure", {})), "✓a/bmain · Fix it2031-02-03T05:30")
        # An older run may be started again.
        again = ("failure", {"run_started_at": start(20)})
        self.assertEqual(first(("success", {"run_started_at": start(10)}), again), "✗a/bmain · Fix it2031-02-03T05:30")
        self.assertEqual(first(("success", {"run_started_at": start(29)}), again), "✓a/bmain · Fix it2031-02-03T05:30")
        # Two workflows can have one name, and a pull request has other files.
        for one, other in (({"workflow_id": 1}, {"workflow_id": 2}), ({"event": "push"}, {"event": "pull_request"}), ({"name": None}, {"name": None})):
            self.assertRegex(first(("success", one), ("failure", other)), "^✗")

    def test_a_narrow_card_has_titles_without_branches(self):
        with Server(("/repos/a/c/", github("failure"))) as server:
            with self.widget(server, repositories=["a/c"], githubToken="one") as widget:
                self.assertTrue(text(self.update(widget, width=36)["view"]).startswith("✗a/cFix it2031-02-03T05:30"))

    def test_the_programs_are_asked_where_no_token_is_set(self):
        self.programs.add("gh", ("'api repos/a/b/actions/runs?per_page=20'", json.dumps(github(None, "in_progress"))))
        self.programs.add("glab", ("*", "not logged in\n", 1))
        with self.widget(repositories=["a/b", "gitlab:c/d"]) as widget:
            words = text(self.update(widget)["view"])
            self.assertIn("●a/bmain", words)
            self.assertIn("glab: not logged in", words)

    def test_what_goes_wrong_costs_one_repository(self):
        answers = [
            ("/repos/a/ok/", {"workflow_runs": []}), ("/repos/a/odd/", {"workflow_runs": [{"conclusion": 5}]}),
            ("/repos/a/list/", [1]), ("/repos/a/denied/", 401), ("/repos/a/future/", github("unheard_of")),
        ]
        with Server(*answers) as server:
            names = ["a/ok", "a/odd", "a/list", "a/denied", "a/gone", "no name", "a/future"]
            with self.widget(server, repositories=names, githubToken="x") as widget:
                widget.initialize(now=NOW, activeDisplayMode="expanded")
                words = text(widget.call("widgetPerformUpdate", reason="user")["view"])
            for part in ("a/okno builds", "a/oddthe server answered with something other than builds", "a/listthe server answered with",
                         "a/deniedthe server does not accept the token", "a/gonenot found, or a token is needed",
                         "no namea repository is owner/name", "○a/future"):
                self.assertIn(part, words)
            with self.widget(server, repositories=["a/gone"]) as widget:
                answer = self.update(widget)
                self.assertEqual(answer["result"], "failed")
                self.assertTrue(answer["error"].startswith("not found") and answer["error"].endswith("(a/gone)"), answer)

    def test_a_build_that_cannot_be_read_costs_itself_and_is_counted(self):
        good = github("success")["workflow_runs"][0]
        for odd in (None, 5, "x", {}, {**good, "conclusion": ["failure"]}, {**good, "conclusion": 5}, {**good, "conclusion": None, "status": None}, {key: good[key] for key in good if key != "updated_at"}):
            with self.subTest(odd), Server(("/repos/a/b/", {"workflow_runs": [odd, good, odd]})) as server:
                with self.widget(server, repositories=["a/b"], githubToken="x") as widget:
                    self.assertEqual(text(self.update(widget)["view"]), "✓a/b2 builds cannot be read · main · Fix it2031-02-03T05:30")

    def test_odd_values_of_a_build_and_of_the_settings_do_no_harm(self):
        good = github("success")["workflow_runs"][0]
        for odd in ({"head_branch": 5}, {"display_title": {"a": 1}}, {"updated_at": "2031-02-03T05:30:00"}, {"updated_at": 5}, {"html_url": []}, {"head_sha": []}):
            with self.subTest(odd), Server(("/repos/a/b/", {"workflow_runs": [{**good, **odd}, good]})) as server:
                for names in (["a/b", 5], "a/b"):
                    with self.widget(server, repositories=names, githubToken="x") as widget:
                        self.assertIn("✓a/b", text(self.update(widget)["view"]))

    def test_a_date_that_cannot_be_is_none_and_a_state_may_be_in_capitals(self):
        good = github("success")["workflow_runs"][0]
        for odd in ({"updated_at": "0001-01-01T00:00:00Z"}, {"updated_at": "2040-01-01T00:00:00Z"}, {"updated_at": 1e300}, {"updated_at": "2031-13-01"}):
            with self.subTest(odd), Server(("/repos/a/b/", {"workflow_runs": [{**good, **odd, "conclusion": "SUCCESS"}]})) as server:
                with self.widget(server, repositories=["a/b"], githubToken="x") as widget:
                    self.assertEqual(text(self.update(widget)["view"]), "✓a/bmain · Fix it")

    def test_members_that_are_missing_and_odd_references_cost_no_build(self):
        good = github("success")["workflow_runs"][0]
        pipeline = {**GITLAB[0], "updated_at": None, "created_at": "2031-02-03T05:30:00Z"}
        for name, answer, words in (
            ("a/b", {"workflow_runs": [{key: good[key] for key in good if key != "html_url"}]}, "✓a/bmain · Fix it2031-02-03T05:30"),
            ("a/b", {"workflow_runs": [{key: good[key] for key in good if key not in ("head_branch", "display_title")}]}, "✓a/bCI2031-02-03T05:30"),
            ("gitlab:c/d", [{**pipeline, "ref": "refs/merge-requests/12/head"}], "●c/d!122031-02-03T05:30"),
            ("gitlab:c/d", [{key: pipeline[key] for key in pipeline if key not in ("ref", "web_url")}], "●c/d2031-02-03T05:30"),
        ):
            with self.subTest(answer), Server(("/repos/a/b/", answer), ("/api/v4/projects/c%2Fd/", answer)) as server:
                with self.widget(server, repositories=[name], githubToken="x", gitlabToken="x") as widget:
                    self.assertEqual(text(self.update(widget)["view"]), words)

    def test_a_repository_can_be_the_address_that_people_copy(self):
        with Server(("/repos/a/b/", github("success")), ("/api/v4/projects/c%2Fd%2Fe/", GITLAB)) as server:
            for name, words in (
                ("https://github.com/a/b", "✓a/b"), ("https://github.com/a/b.git", "✓a/b"), ("git@github.com:a/b.git", "✓a/b"),
                ("https://github.com/a/b/actions?query=branch%3Amain", "✓a/b"), ("github.com/a/b#readme", "✓a/b"),
                ("https://gitlab.com/c/d/e/-/pipelines/", "●c/d/e"), ("gitlab.com/c/d/e", "●c/d/e"),
                ("ssh://git@github.com/a/b", "✓a/b"), ("http://www.GitHub.com/a/b/", "✓a/b"), ("https://gitlab.com/c/d/e", "●c/d/e"),
            ):
                with self.subTest(name), self.widget(server, repositories=[name], githubToken="x", gitlabToken="x") as widget:
                    self.assertTrue(text(self.update(widget)["view"]).startswith(words))

    def test_a_limit_of_requests_is_not_taken_for_a_missing_repository(self):
        limit = {"message": "API rate limit exceeded for 192.0.2.1. (But here's the good news: …)"}
        for token, hint in (("x", ""), (None, "; with a token, set with ,, it is higher")):
            values = {"githubToken": token} if token else {}
            with self.subTest(token), Server(("/repos/a/b/", refusal(403, limit))) as server, self.widget(server, repositories=["a/b"], **values) as widget:
                self.assertEqual(self.update(widget)["error"], f"no more requests are allowed for now{hint} (a/b)")

    def test_there_are_no_builds_only_if_the_server_says_so(self):
        for answer, words in (
            ({"total_count": 0, "workflow_runs": []}, "a/bno builds"), ({"workflow_runs": []}, "a/bno builds"),
            ({"total_count": 5, "workflow_runs": []}, "something other than builds"), ({"workflow_runs": None}, "something other than builds"),
            ({"message": "busy"}, "something other than builds"),
        ):
            with self.subTest(answer), Server(("/repos/a/b/", answer)) as server, self.widget(server, repositories=["a/b"], githubToken="x") as widget:
                found = self.update(widget)
                self.assertIn(words, text(found["view"]) if "view" in found else found["error"])

    def test_without_repositories_it_says_how_to_list_them(self):
        with self.widget() as widget:
            self.assertIn("No repositories yet", text(self.update(widget)["view"]))


if __name__ == "__main__":
    unittest.main()
