#!/bin/sh
# today: share accepts="public.text, public.url" title="Pin" description="as a card of the page" leaves=false
# today: option name=title title="Heading of the card" default=""
# today: option name=command title="Command that is run again" default=""
# today: option name=every title="How often, such as 30s or 5m" default=""
#
# Makes a text a card of the page: its first 100 lines, as many as a card has. With a command, the card has what that
# prints, again and again, in place of the text. The identifier of the card is printed; its file is removed to unpin it.
set -eu
title=${TODAY_OPTION_TITLE:-${TODAY_NAME:-}}
command=${TODAY_OPTION_COMMAND:-}
every=${TODAY_OPTION_EVERY:-}

# The program is beside the folder of this script, or where the shell finds it.
today=$(dirname "$0")/../../../bin/today
[ -x "$today" ] || today=$(command -v today) || {
    echo "today is not in PATH, which makes the card" >&2
    exit 69
}

if [ -n "$command" ]; then
    exec "$today" run --title="${title:-$command}" --every="${every:-1m}" -- "$command"
fi
if [ -n "$every" ]; then
    echo "the option every needs the option command, which is run again" >&2
    exit 64
fi

# In base64 nothing of the text can be a line of the script, or end it.
text=$(head -n 100 | base64)
if [ -z "$text" ]; then
    echo "there is nothing to pin" >&2
    exit 65
fi
# A word of a command line has at most 128 KiB.
if [ "${#text}" -gt 100000 ]; then
    echo "the first 100 lines are longer than 72 kB, too long for a card" >&2
    exit 65
fi
exec "$today" run --title="${title:-Pinned}" --format=text --every=1d --lines=100 -- "base64 -d <<'END'
$text
END"
