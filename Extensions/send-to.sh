#!/bin/sh
# today: share accepts="public.text, public.url, public.image, com.adobe.pdf" title="Send To" description="by mail, Matrix, ntfy and others, with apprise" requires="apprise"
# today: option name=tag title="Tag of the receivers" default=""
# today: option name=title title="Subject" default=""
#
# Sends to the services of apprise's configuration, such as ~/.config/apprise: mail, Matrix, ntfy and many others. A tag
# selects some of them. Text is the message, and other content is attached.
set -eu
command -v apprise >/dev/null || {
    echo "apprise is not installed; install it with: apt install apprise" >&2
    exit 69
}
name=${TODAY_NAME:-content}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/${name##*/}"
content=$folder/${name##*/}

# What apprise says with its errors is long.
send() {
    words=$(apprise "$@" 2>&1) && return
    reason=$(printf '%s\n' "$words" | sed -n 's/.* - ERROR - //p;T;q')
    printf '%s\n' "${reason:-$words}" >&2
    exit 1
}

set -- --title="${TODAY_OPTION_TITLE:-$name}"
[ -z "${TODAY_OPTION_TAG:-}" ] || set -- "$@" --tag="$TODAY_OPTION_TAG"
if LC_ALL=C.UTF-8 grep -qavx '.*' "$content"; then
    send "$@" --body="$name" --attach="$content"
else
    send "$@" <"$content"
fi
echo sent
