#!/bin/sh
# today: title="Sessions" icon=⇥ tint=teal format=xbar
# today: description="Who is logged in through ssh, from where and since when. Not in the sandbox: copy it to your scripts."
#
# Needs who, which reads the list of logins of the system; it is not in the sandbox: copy this file to
# ~/.config/today/scripts.
set -u

# Only in the sandbox a script has a folder of its own.
if [ -n "${TODAY_DATA:-}" ]; then
    printf -- '---\nThe sandbox has no list of logins.\n\033[2mCopy this script to\033[0m\n\033[2m~/.config/today/scripts.\033[0m\n'
    exit
fi

LC_ALL=C
export LC_ALL

if ! sessions=$(who 2>&1); then
    printf '%s\n' "$sessions" | tail -n 1 >&2
    exit 1
fi

# `user pts/0 2026-11-28 12:00 (192.0.2.7)`: a session without an address is none of ssh.
printf '%s\n' "$sessions" | tr '|' '!' | tr -d '\000-\010\013-\037\177' | awk -v width="${COLUMNS:-40}" -v today="$(date +%Y-%m-%d)" -v day="$(date '+%b %e')" '
    function sign(code, text) { return "\033[" code "m" text "\033[0m" }
    NF > 4 && $NF ~ /^\(.+\)$/ && $NF !~ /^\((:|tmux|screen|login)/ {
        from = substr($NF, 2, length($NF) - 2)
        # The date is 2026-11-28, or Nov 28 in the locale C.
        if ($(NF - 2) ~ /-/) since = $(NF - 2) == today ? "" : substr($(NF - 2), 6) " "
        else since = sprintf("%s %2d", $(NF - 3), $(NF - 2)) == day ? "" : $(NF - 3) " " $(NF - 2) " "
        since = since $(NF - 1)
        user = substr($1, 1, 20)
        if (!(user in people)) names++
        people[user] = 1
        room = width - 2 - length(user) - 2 - length(since) - 1
        if (length(from) > room) from = substr(from, 1, room > 1 ? room - 1 : 1) "…"
        gap = width - 2 - length(user) - 2 - length(from) - length(since)
        rows[++count] = sprintf("%s %s  %s%" (gap < 1 ? 1 : gap) "s%s | trim=false emojize=false", sign(36, "●"), user, sign(2, from), "", sign(2, since))
    }
    END {
        if (!count) {
            printf "%s | trim=false\n", sign(2, "Nobody is logged in through ssh")
            exit
        }
        printf "%d session%s of %d user%s | trim=false\n---\n", count, count == 1 ? "" : "s", names, names == 1 ? "" : "s"
        for (i = count; i > 0 && i > count - 20; i--) print rows[i]
    }'
