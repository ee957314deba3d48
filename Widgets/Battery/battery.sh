#!/bin/sh
# Battery: how full each battery is, and how long it lasts or charges.
#
# Messages are answered with builtins of the shell and /sys, without starting a process.
set -u

supplies=${TODAY_POWER:-/sys/class/power_supply}
# shellcheck source=Widgets/Shared/todaykit.sh
. "${0%/*}/todaykit.sh"
refresh_after=60

quiet='"style":{"foreground":"secondaryLabel"}'

# The first line of a file of the battery in $folder, in $value; empty if there is none.
get() {
    value=
    if [ -r "$folder/$1" ]; then IFS= read -r value <"$folder/$1"; fi
}

whole() {
    case $1 in
    '' | *[!0-9]* | ????????????????*) return 1 ;;
    esac
}

# The time until the battery is empty or full, in $words; empty if it is not known.
left() {
    words=
    for kind in energy:power charge:current; do
        get "${kind%:*}_now"
        now=$value
        get "${kind%:*}_full"
        full=$value
        get "${kind#*:}_now"
        rate=${value#-}
        if ! whole "$now" || ! whole "$full" || ! whole "$rate" || [ "$rate" -eq 0 ]; then continue; fi
        case $status in
        Discharging) rest=$now ;;
        Charging) rest=$((full > now ? full - now : 0)) ;;
        *) return ;;
        esac
        minutes=$((rest * 60 / rate))
        [ "$minutes" -lt 6000 ] || return
        words="$((minutes / 60)) h $((minutes % 60)) min"
        return
    done
}

# A row for the battery in $folder.
battery() {
    get capacity
    whole "$value" || return
    level=$((value > 100 ? 100 : value))
    get status
    status=$value
    left
    case $status in
    Charging) state="Charging${words:+, full in $words}" ;;
    Discharging) state=${words:+$words left} ;;
    Full | 'Not charging') state=Full ;;
    *) state= ;;
    esac
    quote "${folder##*/}"
    name=$quoted
    quote "$state"
    thresholds='{"at":0,"foreground":"red"},{"at":11,"foreground":"orange"},{"at":26,"foreground":"green"}'
    gauge="{\"type\":\"gauge\",\"value\":$level,\"maximum\":100,\"valueLabel\":\"$level %\",\"thresholds\":[$thresholds]}"
    rows="$rows${rows:+,}[{\"type\":\"text\",\"text\":$name,$quiet},$gauge]"
    [ -z "$state" ] || rows="$rows,[\"\",{\"type\":\"text\",\"text\":$quoted,$quiet,\"lineLimit\":1}]"
}

look() {
    rows=
    for folder in "$supplies"/*; do
        get type
        [ "$value" = Battery ] || continue
        # The battery of a mouse or a keyboard says so.
        get scope
        [ "$value" = Device ] || battery
    done
    if [ -n "$rows" ]; then
        view="{\"type\":\"grid\",\"columnSpacing\":2,\"columns\":[{\"priority\":1},{}],\"rows\":[$rows]}"
    else
        view="{\"type\":\"text\",\"text\":\"This machine has no battery.\",$quiet}"
    fi
}

serve
