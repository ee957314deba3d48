#!/bin/sh
# today: title="tmux" icon=▥ tint=green format=xbar
# today: description="Sessions of tmux, with their windows and when they were last used; a press attaches to one. Not in the sandbox: copy it to your scripts."
#
# Needs tmux, whose socket is not in the sandbox: copy this file to ~/.config/today/scripts. You are asked before the first
# press runs tmux.
set -u

# Only in the sandbox a script has a folder of its own.
if [ -n "${TODAY_DATA:-}" ]; then
    printf -- '---\nThe sandbox has no tmux.\n\033[2mCopy this script to\033[0m\n\033[2m~/.config/today/scripts.\033[0m\n'
    exit
fi

if ! command -v tmux >/dev/null 2>&1; then
    printf -- '---\ntmux is not installed.\n\033[2mInstall it with: apt install tmux\033[0m\n'
    exit
fi

if ! sessions=$(tmux list-sessions -F '#{session_attached} #{session_activity} #{session_windows} #{session_id} #{session_name}' 2>&1); then
    case $sessions in
    *'no server running'* | *'error connecting'* | *'No such file'*)
        printf -- '---\nNo sessions.\n\033[2mBegin one with: tmux new -s NAME\033[0m\n'
        exit
        ;;
    *)
        printf '%s\n' "$sessions" | tail -n 1 >&2
        exit 1
        ;;
    esac
fi

# Within tmux a client goes to the session; elsewhere one is begun.
if [ -n "${TMUX:-}" ]; then command=switch-client; else command=attach-session; fi

# Those that were used last are first. A session is attached to by its number, as a name may have any character.
printf '%s\n' "$sessions" | sort -k2,2nr | tr '|' '!' | tr -d '\000-\010\013-\037\177' | LC_ALL=C awk -v width="${COLUMNS:-40}" -v now="$(date +%s)" -v command="$command" '
    function sign(code, text) { return "\033[" code "m" text "\033[0m" }
    function age(seconds) {
        if (seconds < 60) return "now"
        if (seconds < 3600) return int(seconds / 60) " min"
        if (seconds < 172800) return int(seconds / 3600) " h"
        return int(seconds / 86400) " d"
    }
    NF > 4 && $4 ~ /^\$[0-9]+$/ && $1 ~ /^[0-9]+$/ {
        name = $0
        for (i = 1; i < 5; i++) sub(/^[^ ]+ /, "", name)
        used = $1 > 0 ? "attached" : age(now - $2)
        attached += $1 > 0
        windows = $3 == 1 ? "1 window" : $3 " windows"
        # Bytes of other alphabets are more than cells, so that such a row is short and never too long.
        room = width - 4 - length(windows) - 2 - length(used) - 1
        if (length(name) > room && name ~ /^[ -~]*$/) name = substr(name, 1, room > 1 ? room - 1 : 1) "…"
        gap = width - 4 - length(name) - 2 - length(windows) - length(used)
        rows[++count] = sprintf("%s %s  %s%" (gap < 1 ? 1 : gap) "s%s | trim=false emojize=false\n--Go there | bash=tmux param1=%s param2=-t param3=%s terminal=true", \
            sign($1 > 0 ? 32 : 2, $1 > 0 ? "●" : "○"), name, sign(2, windows), "", sign(2, used), command, $4)
    }
    END {
        printf "%d session%s, %d attached | trim=false\n---\n", count, count == 1 ? "" : "s", attached
        for (i = 1; i <= count && i <= 20; i++) print rows[i]
    }'
