#!/bin/sh
# Uptime: how long the machine has been running, and how busy it is.
#
# Messages are answered with builtins of the shell and /proc, without starting a process.
set -u

proc=${TODAY_PROC:-/proc}
sessions=${TODAY_SESSIONS:-/run/systemd/users}
booted=
zone=
# shellcheck source=Widgets/Shared/todaykit.sh
. "${0%/*}/todaykit.sh"
refresh_after=60
# With More: what runs, how busy it was since the start, and which machine it is.
offers_more=1

# The text for a number of seconds: 12 min, 3 h 12 min, 4 days 3 h.
duration() {
    minutes=$(($1 / 60 % 60))
    hours=$(($1 / 3600 % 24))
    days=$(($1 / 86400))
    if [ "$days" -eq 1 ]; then
        words="1 day $hours h"
    elif [ "$days" -gt 1 ]; then
        words="$days days $hours h"
    elif [ "$hours" -gt 0 ]; then
        words="$hours h $minutes min"
    else
        words="$minutes min"
    fi
}

# The time of a number of seconds since 1970, as RFC 3339 writes it.
# Years begin in March here, so that the leap day is their last (H. Hinnant, "chrono-compatible
# low-level date algorithms", civil_from_days).
timestamp() {
    z=$(($1 / 86400 + 719468))
    era=$((z / 146097))
    doe=$((z - era * 146097))
    yoe=$(((doe - doe / 1460 + doe / 36524 - doe / 146096) / 365))
    doy=$((doe - (365 * yoe + yoe / 4 - yoe / 100)))
    mp=$(((5 * doy + 2) / 153))
    d=$((doy - (153 * mp + 2) / 5 + 1))
    m=$((mp < 10 ? mp + 3 : mp - 9))
    y=$((yoe + era * 400 + (m <= 2)))
    s=$(($1 % 86400))
    two $m && date=$y-$two
    two $d && date=$date-$two
    two $((s / 3600)) && date=${date}T$two
    two $((s / 60 % 60)) && date=$date:$two
    two $((s % 60)) && date=$date:${two}Z
}

two() {
    two=$1
    [ "$1" -gt 9 ] || two=0$1
}

# The second at which the machine was started, how many processes were since then, and the number of processors.
find_boot() {
    processors=0
    processes=
    [ -r "$proc/stat" ] || return
    while read -r name value _; do
        case $name in
        cpu[0-9]*) processors=$((processors + 1)) ;;
        btime) number "$value" && booted=${value%%.*} ;;
        processes) number "$value" && processes=${value%%.*} ;;
        esac
    done <"$proc/stat"
}

# The rows of the expanded form; $1 is how many seconds all processors were idle.
more_rows() {
    case $tasks in
    *[!0-9/]* | */*/* | /* | */) ;;
    */*) row Tasks "\"${tasks%/*} of ${tasks#*/} run\"" ;;
    esac
    [ -z "$processes" ] || row Begun "\"$processes processes since the start\""
    up=${seconds%%.*}
    if [ "$processors" -gt 0 ] && [ "$up" -gt 0 ] && number "$1"; then
        idle=$((${1%%.*} * 100 / up / processors))
        [ "$idle" -gt 100 ] || row Busy "\"$((100 - idle)) % of $processors processors since the start\""
    fi
    name=
    kernel=
    [ -r "$proc/sys/kernel/hostname" ] && read -r name <"$proc/sys/kernel/hostname"
    [ -r "$proc/sys/kernel/osrelease" ] && read -r kernel <"$proc/sys/kernel/osrelease"
    if [ -n "$name$kernel" ]; then
        quote "$name  $kernel"
        row Machine "{\"type\":\"text\",\"text\":$quoted,\"lineLimit\":1}"
    fi
}

# Whether a text is a number that the shell can count with: 0.42, 97445.20.
number() {
    case $1 in
    '' | *[!0-9.]* | .* | *.*.* | 0[0-9]* | ????????????????*) return 1 ;;
    esac
}

# How many users are logged in, from the files of logind; empty if there are none.
count_users() {
    users=
    [ -d "$sessions" ] || return
    users=0
    for file in "$sessions"/*; do
        [ -r "$file" ] || continue
        while read -r entry; do
            case $entry in
            STATE=active | STATE=online)
                users=$((users + 1))
                break
                ;;
            esac
        done <"$file"
    done
}

quiet='"style":{"foreground":"secondaryLabel"}'

# A row of the grid: a word, and a node.
row() {
    rows="$rows${rows:+,}[{\"type\":\"text\",\"text\":\"$1\",$quiet},$2]"
}

say_missing() {
    missing="{\"type\":\"text\",\"text\":\"$proc/$1 cannot be read here.\",$quiet}"
}

# The view, as JSON in $view; for a source that cannot be read, a line with the error.
look() {
    rows=
    if [ "$method" = initialize ]; then
        member timeZone
        zone=${member:+,\"timeZone\":\"$member\"}
    fi
    say_missing uptime
    view=$missing
    [ -r "$proc/uptime" ] && read -r seconds waited _ <"$proc/uptime" && number "$seconds" || return
    duration "${seconds%%.*}"
    row Up "{\"type\":\"text\",\"text\":\"$words\",\"style\":{\"bold\":true}}"

    find_boot
    if [ -n "$booted" ]; then
        timestamp "$booted"
        when="\"type\":\"date\",\"date\":\"$date\"$zone"
        parts="{$when,\"display\":\"date\"}"
        # As wide as the longest day and a time.
        [ "$width" -lt 38 ] || parts="$parts,{$when,\"display\":\"time\",$quiet}"
        row Since "{\"type\":\"hstack\",\"spacing\":1,\"children\":[$parts]}"
    fi

    say_missing loadavg
    load=$missing
    tasks=
    if [ -r "$proc/loadavg" ] && read -r one five fifteen tasks _ <"$proc/loadavg" &&
        number "$one" && number "$five" && number "$fifteen"; then
        load="{\"type\":\"text\",\"text\":[\"$one\",{\"text\":\"  $five  $fifteen\",$quiet}]}"
    fi
    row Load "$load"

    count_users
    [ -z "$users" ] || row Users "\"$users\""
    [ "$mode" = compact ] || more_rows "$waited"
    view="{\"type\":\"grid\",\"columnSpacing\":2,\"rows\":[$rows]}"
}

serve
