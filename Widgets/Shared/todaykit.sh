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
# A share extension or an action has these in place of `look`:
#
#     compose=…         members of the standard sheet, JSON: '"placeholder":"What is it?"'; sent when it has changed
#     valid() { … }     whether $content_text can be posted; $remaining is how many more characters there can be
#     choose() { … }    takes the value $2 of the item $1 of the sheet
#     post() { … }      shares the content, with the text $content_text; the request is complete when it returns 0
#     act() { … }       does the work of an action without a view, as soon as the request begins
#
# which use `load_item`, `return_text`, `return_file` and `progress`. To fail, they set $failure and return 1. One with a
# view of its own has `look` and `press`, and `fetch` loads the content; the request is complete after a press that
# has returned something.
#
# `fetch` and `press` of a widget fail in the same way: the update or the press has failed with the words in $failure.
#
# All use `setting NAME DEFAULT`, `member NAME` and `quote TEXT`. $line is the message that is answered, $method its
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
is_request=
compose=
attachments=
content_text=
remaining=
returning=
failure=
requests=0

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
    # Without the programs for it, odd bytes are left to the host, which replaces them in the same way.
    case $quoted in
    *[![:print:]]*)
        if command -v od >/dev/null && command -v awk >/dev/null; then
            quoted=$(printf '%s' "$quoted" | as_utf8)
        fi
        ;;
    esac
    quoted="\"$quoted\""
}

# Passes a text on with U+FFFD in place of bytes that are not UTF-8, one for as much of a character as is there, as the
# host does (Unicode, section 3.9, “U+FFFD Substitution of Maximal Subparts”).
as_utf8() {
    od -An -v -tu1 | LC_ALL=C awk '
        { for (i = 1; i <= NF; i++) byte[count++] = $i }
        END {
            for (i = 0; i < count; i += taken) {
                first = byte[i]; low = 128; high = 191; more = 0
                if (first >= 194 && first <= 223) more = 1
                else if (first >= 224 && first <= 239) more = 2
                else if (first >= 240 && first <= 244) more = 3
                if (first == 224) low = 160
                if (first == 237) high = 159
                if (first == 240) low = 144
                if (first == 244) high = 143
                for (taken = 1; taken <= more && i + taken < count; taken++) {
                    if (byte[i + taken] < low || byte[i + taken] > high) break
                    low = 128; high = 191
                }
                if (taken <= more || first >= 128 && !more) printf "\357\277\275"
                else for (k = i; k < i + taken; k++) printf "%c", byte[k]
            }
        }'
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

# Calls a function, and says whether it has failed: with a status, and with words in $failure.
fails() {
    failure=
    "$@" || [ -z "$failure" ] || return 0
    return 1
}

update() {
    after=${refresh_after:+,\"refreshAfter\":$refresh_after}
    if has fetch && fails fetch; then
        quote "$failure"
        answer "{\"result\":\"failed\",\"error\":$quoted$after}"
        return
    fi
    look
    after=${refresh_after:+,\"refreshAfter\":$refresh_after}
    if [ "$view" = "$shown" ] && [ "$preferred_height" = "$shown_height" ]; then
        answer "{\"result\":\"noData\"$after}"
    else
        hold
        answer "{\"result\":\"newData\"$after,$content}"
    fi
}

# A member of the message in $line that is a text, with every character of it, in $text; fails if there is none.
text_of() {
    text=
    case $line in
    *"\"$1\":\""*) rest=${line#*"\"$1\":\""} ;;
    *) return 1 ;;
    esac
    while :; do
        plain=${rest%%[\\\"]*}
        text=$text$plain
        rest=${rest#"$plain"}
        case $rest in
        \\u????*)
            rest=${rest#\\u}
            plain=${rest%"${rest#????}"}
            rest=${rest#????}
            character "$plain"
            ;;
        \\?*)
            rest=${rest#\\}
            plain=${rest%"${rest#?}"}
            rest=${rest#?}
            case $plain in
            [bfnrt]) plain=$(printf '%b.' "\\$plain") && plain=${plain%.} ;;
            esac
            text=$text$plain
            ;;
        *) return 0 ;;
        esac
    done
}

# Adds the character with a number of four hexadecimal digits to $text; of one above them, the second half adds it.
character() {
    code=$((0x$1))
    case $1 in
    [dD][89abAB]??) half=$(((code - 0xD800) * 0x400 + 0x10000)) && return ;;
    [dD][c-fC-F]??) code=$((half + code - 0xDC00)) ;;
    0000) return ;;
    esac
    if [ $code -lt 128 ]; then
        bytes=$(printf '\\0%03o' $code)
    elif [ $code -lt 2048 ]; then
        bytes=$(printf '\\0%03o\\0%03o' $((code >> 6 | 192)) $((code & 63 | 128)))
    elif [ $code -lt 65536 ]; then
        bytes=$(printf '\\0%03o\\0%03o\\0%03o' $((code >> 12 | 224)) $((code >> 6 & 63 | 128)) $((code & 63 | 128)))
    else
        bytes=$(printf '\\0%03o\\0%03o\\0%03o\\0%03o' $((code >> 18 | 240)) $((code >> 12 & 63 | 128)) \
            $((code >> 6 & 63 | 128)) $((code & 63 | 128)))
    fi
    plain=$(printf '%b.' "$bytes")
    text=$text${plain%.}
}

# Sends a request to the host and waits for its answer, in $reply; other messages are answered meanwhile.
request() {
    requests=$((requests + 1))
    say "{\"jsonrpc\":\"2.0\",\"id\":$requests,\"method\":\"$1\",\"params\":$2}"
    # What is answered at present, until the answer is there.
    set -- "$requests" "$line" "$id" "$method"
    while IFS= read -r line; do
        parse "$line"
        if [ -n "$method" ] || [ "$id" != "$1" ]; then
            handle
            continue
        fi
        reply=$line
        case $reply in
        *'"error":{'*) text_of message && failure=$text || failure=refused ;;
        *) failure= ;;
        esac
        line=$2 id=$3 method=$4
        [ -z "$failure" ]
        return
    done
    exit 0
}

# The path of a file with an attachment, the first or that with the identifier $2, as a type or a child of it, in $path.
load_item() {
    request loadItem "{\"attachment\":\"${2:-${attachments%% *}}\",\"type\":\"${1:-public.data}\",\"as\":\"path\"}" || return
    set -- "$line"
    line=$reply
    text_of path
    line=$1
    # shellcheck disable=SC2034 # for the script
    path=$text
}

# Posts a notice with the title $1 and further members of the protocol, JSON: '"urgency":"low"'; its number is in $notice.
post_notice() {
    quote "$1"
    request postNotice "{\"title\":$quoted${2:+,$2}}" || return
    set -- "$line"
    line=$reply
    text_of id
    line=$1
    # shellcheck disable=SC2034 # for the script
    notice=$text
}

# Reads the notices of the user, of which $1 chooses, JSON: '"waiting":true'; the answer is in $reply.
read_notices() {
    request readNotices "{$1}"
}

# Puts the notice with the number $1 among the earlier ones.
dismiss_notice() {
    quote "$1"
    request dismissNotice "{\"id\":$quoted}"
}

# Does what the action $2 of the notice with the number $1 offers, after a press.
perform_notice_action() {
    quote "$1"
    set -- "$quoted" "$2"
    quote "$2"
    request performNoticeAction "{\"id\":$1,\"name\":$quoted}"
}

# What a request returns, in the order of the calls: a text of one line, or a file in $TMPDIR or $TODAY_DATA.
return_text() {
    quote "$1"
    returning="$returning,{\"type\":\"${2:-public.plain-text}\",\"text\":$quoted}"
}

return_file() {
    quote "$1"
    returning="$returning,{\"type\":\"${2:-public.data}\",\"path\":$quoted}"
}

# How far a request is; one without a view ends after 30 s without this.
progress() {
    say "{\"jsonrpc\":\"2.0\",\"method\":\"reportProgress\",\"params\":{\"completed\":$1,\"total\":${2:-null}}}"
}

# Runs a function that ends the request, completed or cancelled.
conclude() {
    failure=
    if "$1"; then
        items=${returning:+"{\"attachments\":[${returning#,}]}"}
        request completeRequest "{\"returningItems\":[$items]}" && return
    fi
    cancel
}

# Cancels the request, with the reason in $failure.
cancel() {
    quote "${failure:-it has failed}"
    say "{\"jsonrpc\":\"2.0\",\"method\":\"cancelRequest\",\"params\":{\"error\":$quoted}}"
}

# Answers the first message of a request, and begins it.
begin() {
    take
    rest=$line
    case $rest in
    *'"attachments":['*) rest=${rest#*'"attachments":['} ;;
    *) rest= ;;
    esac
    while :; do
        case $rest in
        *'"id":"'*)
            rest=${rest#*'"id":"'}
            attachments="${attachments:+$attachments }${rest%%\"*}"
            ;;
        *) break ;;
        esac
    done
    if has load; then load; fi
    is_request=1
    implements=
    if has look; then implements=',"viewWillAppear"'; fi
    if has press; then implements="$implements,\"performAction\""; fi
    if has post; then implements="$implements,\"didSelectPost\""; fi
    if has valid; then implements="$implements,\"contentDidChange\""; fi
    if has choose; then implements="$implements,\"configurationItemChosen\""; fi
    answer "{\"protocolVersion\":1,\"implements\":[${implements#,}]}"
    show_sheet
    if has act; then conclude act; fi
}

# Sends the sheet if the host does not have it.
show_sheet() {
    if [ -z "$compose" ] || [ "$compose" = "$shown" ]; then return; fi
    shown=$compose
    say "{\"jsonrpc\":\"2.0\",\"method\":\"setCompose\",\"params\":{$compose}}"
}

# Takes the text of the sheet.
take_text() {
    text_of text
    # shellcheck disable=SC2034 # for the script
    content_text=$text
}

# Answers the message in $line, which is parsed.
handle() {
    if [ "$method" = shutdown ]; then
        exit 0
    elif [ -z "$method" ]; then
        [ -n "$id" ] || refuse null -32600 'a message needs a method, a string'
    elif [ -n "$id" ]; then
        case $method in
        initialize)
            case $line in
            *'"reason":"request"'*)
                begin
                return
                ;;
            esac
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
            failure=
            # Content can be loaded from here on.
            if [ -n "$is_request" ] && has fetch; then fetch || cancel; fi
            show
            answer "{$content}"
            ;;
        widgetPerformUpdate) update ;;
        performAction)
            member action
            outcome=
            if fails press "$member" && [ -z "$is_request" ]; then
                quote "$failure"
                outcome=",\"result\":\"failed\",\"error\":$quoted"
            fi
            if [ -n "$returning" ]; then conclude :; fi
            show
            answer "{$content$outcome}"
            ;;
        contentDidChange)
            take_text
            remaining=
            valid && is_valid=true || is_valid=false
            answer "{\"isContentValid\":$is_valid${remaining:+,\"charactersRemaining\":$remaining}}"
            ;;
        configurationItemChosen)
            text_of id
            set -- "$text"
            text_of value || text=
            choose "$1" "$text"
            show_sheet
            answer '{}'
            ;;
        didSelectPost)
            take_text
            conclude post
            answer '{}'
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
}

serve() {
    while IFS= read -r line; do
        case $line in
        '{'*'}')
            parse "$line"
            handle
            ;;
        *) refuse null -32700 'a line is not a JSON object' ;;
        esac
    done
}
