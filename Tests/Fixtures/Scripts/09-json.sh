#!/bin/sh
# today: title="JSON" format=json rows="$.items[?@.open == true]" columns="title, votes as Votes, by.name as By"
cat <<'JSON'
{"items": [{"title": "Columns are cut", "votes": 12, "by": {"name": "ann"}, "open": true},
           {"title": "Too slow", "votes": 3, "by": {"name": "bob"}, "open": true},
           {"title": "Old", "votes": 1, "open": false}]}
JSON
