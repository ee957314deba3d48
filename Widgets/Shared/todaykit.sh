# shellcheck shell=sh
# Widgets for today in sh: messages, answered with builtins of the shell.
#
#     . "${0%/*}/todaykit.sh"
#     look() { view='{"type":"text","text":"Hello"}'; }
#     serve
#
# `look` sets $view, JSON; `serve` answers messages until the input ends. A script may also have:
#
#     load() { … }      is called once, before the first view is looked at
#     fetch() { … }     gets new data for an update, before the view is looked at again
#     memory_warning() { … }  lets go of what can be made again; the process uses much memory
#     press() { … }     does what an element means whose action is $1, before the view is looked at again
#     offers_more=1     the card has an expanded form; $mode is compact or expanded, $width the columns of its body
#     refresh_after=60  the time until the next update, in seconds
#     preferred_height=6  the rows that the body of the card should have; empty for those of the view
#
# and use `setting NAME DEFAULT`, `member NAME` and `quote TEXT`. $line is the message that is answered, $method its
# method; $now is the time of a test, as 2031-02-03T04:05:06Z, and empty otherwise.

shown=
shown_height=
view=
refresh_after=
preferred_height=
offers_more=
mode=compact
width=40
configuration=
now=

say() {
    printf '%s\n' "$1"
}

answer() {
    say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"
}

refuse() {
    say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"error\":{\"code\":$2,\"message\":\"$3\"}}"
}

# A text as a string of JSON, in $quoted.
quote() {
    rest=$1
    quoted=
    while [ -n "$rest" ]; do
        case $rest in
        *[\\\"]*)
            plain=${rest%%[\\\"]*}
            rest=${rest#"$plain"}
            quoted=$quoted$plain\\${rest%"${rest#?}"}
            rest=${rest#?}
            ;;
        *)
            quoted=$quoted$rest
            rest=
            ;;
        esac
    done
    # Control characters have no place in a name or a number.
    case $quoted in
    *[[:cntrl:]]*) quoted=$(printf '%s' "$quoted" | tr -d '[:cntrl:]') ;;
    esac
    quoted="\"$quoted\""
}

# Takes the id and the method out of the line. Objects have no order, so params is cut out first:
# what is before it, and what follows its closing brace, is the message's own.
parse() {
    outer=$1
    case $outer in
    *'"params"'*)
        inside=${outer%\}*}
        outer=${outer%%'"params"'*}${inside##*\}},
        ;;
    esac
    id=
    case $outer in
    *'"id"'*)
        id=${outer#*'"id"'}
        id=${id#*:}
        id=${id%%[,\}]*}
        ;;
    esac
    method=
    case $outer in
    *'"method"'*)
        method=${outer#*'"method"'}
        method=${method#*\"}
        method=${method%%\"*}
        ;;
    esac
}

# The first text of a member of the message in $line, in $member; empty if there is none.
member() {
    member=
    case $line in
    *"\"$1\""*)
        member=${line#*"\"$1\""}
        member=${member#*\"}
        member=${member%%\"*}
        ;;
    esac
}

# The value of a setting that is a text, a number or a truth value, in $setting; $2 if it is not set.
setting() {
    setting=$2
    case $configuration in
    *"\"$1\":"*)
        setting=${configuration#*"\"$1\":"}
        case $setting in
        \"*)
            setting=${setting#\"}
            setting=${setting%%\"*}
            ;;
        *) setting=${setting%%[,\}]*} ;;
        esac
        ;;
    esac
}

# Takes what a message says about the card, the settings and the time of a test.
take() {
    case $line in
    *'"configuration":{'*)
        configuration=${line#*'"configuration":{'}
        configuration="${configuration%%\}*}}"
        ;;
    esac
    member activeDisplayMode
    mode=${member:-$mode}
    case $line in
    *'"maximumSize":{'*)
        size=${line#*'"maximumSize":{'}
        size=${size%%\}*}
        size=${size#*'"width":'}
        size=${size%%[!0-9]*}
        width=${size:-$width}
        ;;
    esac
    member now
    now=${member:-$now}
}

# Looks at the view, and remembers that the host has it: in $content, members of the answer.
show() {
    look
    hold
}

hold() {
    shown=$view
    content=\"view\":$view
    # A height stays until another one is said; what is none is not sent.
    case $preferred_height in
    *[!0-9]*) preferred_height=$shown_height ;;
    esac
    case $preferred_height in
    "$shown_height") ;;
    '') content="$content,\"preferredContentSize\":null" ;;
    *) content="$content,\"preferredContentSize\":{\"height\":$preferred_height}" ;;
    esac
    shown_height=$preferred_height
}

# Whether the script has a function.
has() {
    case $(command -v "$1") in
    "$1") ;;
    *) return 1 ;;
    esac
}

update() {
    if has fetch; then fetch; fi
    look
    after=${refresh_after:+,\"refreshAfter\":$refresh_after}
    if [ "$view" = "$shown" ] && [ "$preferred_height" = "$shown_height" ]; then
        answer "{\"result\":\"noData\"$after}"
    else
        hold
        answer "{\"result\":\"newData\"$after,$content}"
    fi
}

serve() {
    while IFS= read -r line; do
        case $line in
        '{'*'}') parse "$line" ;;
        *)
            refuse null -32700 'a line is not a JSON object'
            continue
            ;;
        esac
        if [ "$method" = shutdown ]; then
            exit 0
        elif [ -z "$method" ]; then
            [ -n "$id" ] || refuse null -32600 'a message needs a method, a string'
        elif [ -n "$id" ]; then
            case $method in
            initialize)
                take
                if has load; then load; fi
                show
                implements='"viewWillAppear","widgetPerformUpdate","clockDidChange"'
                implements=$implements${offers_more:+',"widgetActiveDisplayModeDidChange"'}
                if has press; then implements="$implements,\"performAction\""; fi
                if has memory_warning; then implements="$implements,\"didReceiveMemoryWarning\""; fi
                forms=${offers_more:+',"largestAvailableDisplayMode":"expanded"'}
                answer "{\"protocolVersion\":1,\"implements\":[$implements]$forms,$content}"
                ;;
            viewWillAppear)
                show
                answer "{$content}"
                ;;
            widgetPerformUpdate) update ;;
            performAction)
                member action
                press "$member"
                show
                answer "{$content}"
                ;;
            *) refuse "$id" -32601 "$method is not implemented" ;;
            esac
        elif [ "$method" = clockDidChange ]; then
            take
        elif [ "$method" = didReceiveMemoryWarning ]; then
            if has memory_warning; then memory_warning; fi
        elif [ "$method" = widgetActiveDisplayModeDidChange ]; then
            take
            show
            say "{\"jsonrpc\":\"2.0\",\"method\":\"setView\",\"params\":{$content}}"
        fi
    done
}
