#!/bin/sh
# today: title="Printers" icon=▤ tint=gray format=xbar
# today: description="Printers of CUPS and their jobs, those that have stopped first. Not in the sandbox: copy it to your scripts."
#
# Needs lpstat: apt install cups-client. Its service is asked through a socket that is not in the sandbox: copy this file
# to ~/.config/today/scripts.
set -u

# Only in the sandbox a script has a folder of its own.
if [ -n "${TODAY_DATA:-}" ]; then
    printf -- '---\nThe sandbox has no printers.\n\033[2mCopy this script to\033[0m\n\033[2m~/.config/today/scripts.\033[0m\n'
    exit
fi

# Words of lpstat are those of its language.
LC_ALL=C
export LC_ALL

if ! command -v lpstat >/dev/null 2>&1; then
    printf -- '---\nlpstat is not installed.\n\033[2mInstall it with: apt install cups-client\033[0m\n'
    exit
fi

# An address that does not answer is waited for by lpstat itself.
if ! output=$(timeout -k 1 8 lpstat -p -o 2>&1); then
    case $output in
    *'No destinations added'* | *'no destinations added'*) ;;
    '') echo 'lpstat did not answer within 8 s' >&2 && exit 1 ;;
    *) printf '%s\n' "$output" | tail -n 1 >&2 && exit 1 ;;
    esac
fi

# `printer NAME is idle.  enabled since DATE`, with a reason in the next line; `NAME-12 user 1024 DATE` for a job.
printf '%s\n' "$output" | tr '|' '!' | tr -d '\000-\010\013-\037\177' | awk -v width="${COLUMNS:-40}" '
    function sign(code, text) { return "\033[" code "m" text "\033[0m" }
    function row(name, state, text, code, mark) {
        # A sign, a blank, the name, two blanks, the state, and at least one blank before the number.
        room = width - 2 - length(name) - 2 - length(text) - 1
        if (length(state) > room) state = room > 4 ? substr(state, 1, room - 3) "..." : ""
        gap = width - 2 - length(name) - (state == "" ? 0 : 2 + length(state)) - length(text)
        printf "%s %s%s%" (gap < 1 ? 1 : gap) "s%s | emojize=false\n", sign(code, mark), name, \
            state == "" ? "" : "  " sign(2, state), "", sign(code == 32 ? 2 : code, text)
    }
    /^printer / && NF > 2 {
        name = $2
        count++
        names[count] = name
        state[name] = / disabled /  ? "stopped" : / now printing / ? "prints" : / is idle/ ? "ready" : "busy"
        next
    }
    /^[ \t]/ {
        text = $0
        gsub(/^[ \t]+/, "", text)
        if (count && text != "" && text !~ /^(Alerts|Rendering)/) reason[names[count]] = substr(text, 1, 60)
        next
    }
    NF > 3 && $1 ~ /-[0-9]+$/ {
        printer = $1
        sub(/-[0-9]+$/, "", printer)
        jobs[printer]++
        total++
    }
    END {
        if (!count) {
            print "---\nNo printers.\n" sign(2, "Add one at http://localhost:631 or with lpadmin.")
            exit
        }
        for (i = 1; i <= count; i++) stopped += state[names[i]] == "stopped"
        jobwords = total ? total (total == 1 ? " job" : " jobs") : "no jobs"
        if (stopped) printf "%s | trim=false\n", sign(31, "✗ " stopped " stopped, " jobwords)
        else printf "%s | trim=false\n", sign(32, "✓ Ready, " jobwords)
        print "---"
        for (turn = 0; turn < 2; turn++)
            for (i = 1; i <= count; i++) {
                name = names[i]
                bad = state[name] == "stopped"
                if (bad == turn) continue
                note = state[name] (reason[name] != "" ? ": " reason[name] : "")
                row(substr(name, 1, 40), note, jobs[name] + 0 " jobs", bad ? 31 : 32, bad ? "✗" : "✓")
            }
    }'
