# shellcheck shell=sh
# Widgets for today in sh: messages, answered with builtins of the shell.
#
#     . "${0%/*}/todaykit.sh"
#     look() { view='{"type":"text","text":"Hello"}'; }
#     serve
#
# `look` sets $view, JSON; `serve` answers messages until the input ends. $refresh_after, if it is set, is the time
# until the next update in seconds, and $line is the message that is answered.

shown=
view=
refresh_after=

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

update() {
    look
    after=${refresh_after:+,\"refreshAfter\":$refresh_after}
    if [ "$view" = "$shown" ]; then
        answer "{\"result\":\"noData\"$after}"
    else
        shown=$view
        answer "{\"result\":\"newData\"$after,\"view\":$view}"
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
                look
                shown=$view
                implements='"viewWillAppear","widgetPerformUpdate"'
                answer "{\"protocolVersion\":1,\"implements\":[$implements],\"view\":$view}"
                ;;
            viewWillAppear)
                look
                shown=$view
                answer "{\"view\":$view}"
                ;;
            widgetPerformUpdate) update ;;
            *) refuse "$id" -32601 "$method is not implemented" ;;
            esac
        fi
    done
}
