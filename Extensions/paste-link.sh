#!/bin/sh
# today: share accepts="public.text" title="Paste Link" description="a link to the text: a gist, a snippet or a host of yours"
# today: option name=to title="To" choices="gist, snippet, host" default=gist
# today: option name=address title="Address of a host" default=""
# today: option name=hours title="Hours until a host deletes it" choices="1, 24, 168, 720" default=24
# today: option name=secrets title="Keys and passwords in it" choices="refuse, send" default=refuse
#
# Makes a link to a text: a secret gist (gh), a private snippet (glab), or a file on a host that takes forms as 0x0.st
# does (curl). Gists and snippets have no expiry. The link is printed.
set -eu
# In a form, quotes and backslashes would end the name.
name=$(printf %s "${TODAY_NAME:-shared.txt}" | tr -d '\\"')
content=$(mktemp)
trap 'rm -f "$content"' EXIT
cat >"$content"

fail() {
    echo "$2" >&2
    exit "$1"
}

need() {
    command -v "$1" >/dev/null || fail 69 "$1 is not installed; $2"
}

if [ "${TODAY_OPTION_SECRETS:-refuse}" = refuse ]; then
    # What Redact finds, without what is private and no secret.
    found=$(TODAY_OPTION_ADDRESSES=no TODAY_OPTION_EMAILS=no TODAY_OPTION_PATHS=no \
        "$(dirname "$0")/redact.py" <"$content" 2>&1 >/dev/null)
    found=${found#redacted: }
    [ "$found" = nothing ] || fail 1 "it has secrets ($found): use Redact first, or secrets=send"
fi

case ${TODAY_OPTION_TO:-gist} in
gist)
    need gh "install it with: apt install gh"
    gh gist create --filename "$name" - <"$content"
    ;;
snippet)
    need glab "get it from https://gitlab.com/gitlab-org/cli"
    glab snippet create --personal --visibility private --title "$name" --filename "$name" <"$content"
    ;;
host)
    need curl "install it with: apt install curl"
    case ${TODAY_OPTION_ADDRESS:-} in
    https://*) ;;
    *) fail 64 "the option address needs the address of a host, such as https://0x0.st" ;;
    esac
    curl --silent --show-error --fail --max-time 25 --form "file=@$content;filename=\"$name\"" \
        --form "expires=${TODAY_OPTION_HOURS:-24}" "$TODAY_OPTION_ADDRESS"
    ;;
esac
