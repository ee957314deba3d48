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
    # The shell reads numbers with a zero in front as octal ones.
    '' | *[!0-9]* | 0?* | ????????????????*) return 1 ;;
    esac
}

# Sets the rate of a battery that counts energy and says its current, or counts charge and says its power.
convert() {
    case $1 in
    energy) get current_now ;;
    *) get power_now ;;
    esac
    amount=${value#-}
    get voltage_now
    # No battery has more than 1000 A, W or V, in millionths; the products stay within the numbers of the shell.
    if whole "$amount" && whole "$value" && [ "$amount" -lt 1000000000 ] && [ "$value" -ge 1000 ] && [ "$value" -lt 1000000000 ]; then
        case $1 in
        energy) rate=$((amount * (value / 1000) / 1000)) ;;
        *) rate=$((amount * 1000 / (value / 1000))) ;;
        esac
    fi
}

# Sets now, full and rate of the battery in $folder, in one unit; fails if it counts neither energy nor charge.
count() {
    for kind in energy:power charge:current; do
        get "${kind%:*}_now"
        now=$value
        full=
        for part in full full_design; do
            get "${kind%:*}_$part"
            if [ -z "$full" ] && whole "$value" && [ "$value" -gt 0 ]; then full=$value; fi
        done
        get "${kind#*:}_now"
        rate=${value#-}
        whole "$rate" || rate=0
        if whole "$now" && [ -n "$full" ]; then
            [ "$rate" != 0 ] || convert "${kind%:*}"
            return 0
        fi
    done
    return 1
}

# How full the battery in $folder is in percent, in $level; fails if it does not say so.
measure() {
    get capacity
    if whole "$value"; then
        level=$value
    elif count; then
        level=$(((100 * now + full / 2) / full))
    else
        return 1
    fi
    level=$((level > 100 ? 100 : level))
}

# The limit at which it stops to charge, in $limit; 100 if there is none.
find_limit() {
    get charge_control_end_threshold
    limit=100
    if whole "$value" && [ "$value" -gt 0 ] && [ "$value" -lt 100 ]; then limit=$value; fi
}

# The time until the battery is empty or at its limit, in $words; empty if it is not known.
left() {
    words=
    case $status in
    Discharging) way=empty ;;
    Charging) way=full ;;
    *) return ;;
    esac
    minutes=
    if count && [ "$rate" -gt 0 ]; then
        rest=$now
        [ "$way" = empty ] || rest=$((full * limit / 100 > now ? full * limit / 100 - now : 0))
        minutes=$((rest * 60 / rate))
    else
        # Some drivers say in seconds what they do not let others count.
        for part in now avg; do
            get "time_to_${way}_$part"
            if [ -z "$minutes" ] && whole "$value" && [ "$value" -gt 0 ]; then minutes=$((value / 60)); fi
        done
    fi
    # Nearly full, or at its limit already, it charges on for a while that nobody can say.
    [ -n "$minutes" ] && [ "$minutes" -gt 0 ] && [ "$minutes" -lt 6000 ] || return
    words="$((minutes / 60)) h $((minutes % 60)) min"
}

# What the battery in $folder does, in $state.
describe() {
    get status
    status=$value
    find_limit
    left
    goal=full
    [ "$limit" = 100 ] || goal="$limit %"
    case $status in
    Charging) state="Charging${words:+, $goal in $words}" ;;
    Discharging) state=${words:-Discharging}${words:+ left} ;;
    # One that is kept below its limit can call that full.
    Full | 'Not charging')
        state='Not charging'
        if [ "$status" = Full ] && [ "$level" -ge 90 ]; then state=Full; fi
        [ "$limit" = 100 ] || state="$state, limit $limit %"
        ;;
    *) state= ;;
    esac
}

# A row for the battery in $folder.
battery() {
    quote "${folder##*/}"
    name=$quoted
    if ! measure; then
        # Some say in words what they cannot say in numbers.
        get capacity_level
        case $value in
        Full | High | Normal | Low | Critical) words=$value ;;
        *) words='does not say how full it is' ;;
        esac
        rows="$rows${rows:+,}[{\"type\":\"text\",\"text\":$name,$quiet},{\"type\":\"text\",\"text\":\"$words\",\"lineLimit\":1}]"
        return
    fi
    describe
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
        [ "$value" != Device ] || continue
        # A bay can have none.
        get present
        [ "$value" = 0 ] || battery
    done
    if [ -n "$rows" ]; then
        view="{\"type\":\"grid\",\"columnSpacing\":2,\"columns\":[{\"priority\":1},{}],\"rows\":[$rows]}"
    elif [ -r "$supplies" ]; then
        view="{\"type\":\"text\",\"text\":\"This machine has no battery.\",$quiet}"
    else
        quote "Batteries cannot be seen: $supplies cannot be read."
        view="{\"type\":\"text\",\"text\":$quoted,$quiet}"
    fi
}

serve
