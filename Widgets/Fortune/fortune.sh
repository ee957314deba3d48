#!/bin/sh
# Fortune: a saying, another one at each update; of the program fortune where there is one, else of its own file.
set -u

# shellcheck source=Widgets/Shared/todaykit.sh
. "${0%/*}/todaykit.sh"
stored=${TODAY_DATA:-.}/saying
PATH=$PATH:/usr/games

# The saying number $1 of the file beside the widget, in $saying.
own() {
    number=0
    saying=
    [ -r "${0%/*}/sayings.txt" ] || return
    while IFS= read -r sentence; do
        [ "$number" -ne "$1" ] || saying=$sentence
        number=$((number + 1))
    done <"${0%/*}/sayings.txt"
}

pick() {
    if command -v fortune >/dev/null && saying=$(fortune -s 2>/dev/null) && [ -n "$saying" ]; then
        saying=$(printf '%s' "$saying" | tr '\t\n' '  ')
        # A file of fortunes may be in another charset; bytes that are not UTF-8 would make the whole message invalid.
        case $saying in
        *[!\ -~]*) saying=$(printf '%s' "$saying" | iconv -c -f UTF-8 -t UTF-8 2>/dev/null || printf '%s' "$saying" | LC_ALL=C tr -cd ' -~') ;;
        esac
        [ -z "$saying" ] || return
    fi
    own -1
    count=$number
    [ "$count" -gt 0 ] || return
    last=-1
    if [ -r "$stored.number" ]; then IFS= read -r last <"$stored.number"; fi
    case $last in
    '' | *[!0-9]* | ?????*) last=$(($(date +%j | sed 's/^0*//') % count)) ;;
    esac
    next=$(((last + 1) % count))
    own "$next"
    printf '%s\n' "$next" >"$stored.number"
}

look() {
    saying=
    if [ -r "$stored" ]; then IFS= read -r saying <"$stored"; fi
    if [ -z "$saying" ] || [ "$method" = widgetPerformUpdate ]; then
        pick
        printf '%s\n' "$saying" >"$stored"
    fi
    if [ -z "$saying" ]; then
        view='{"type":"text","text":"There are no sayings: install fortune-mod.","style":{"foreground":"secondaryLabel"},"lineLimit":3}'
        return
    fi
    quote "$saying"
    view="{\"type\":\"text\",\"text\":$quoted,\"style\":{\"italic\":true}}"
}

serve
