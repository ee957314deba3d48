#!/bin/sh
# today: share accepts="public.data" title="Hand Over" description="to another machine, by scp, rsync, croc or a QR code"
# today: option name=by title="By" choices="scp, rsync, croc, qr" default=scp
# today: option name=host title="Host, as for ssh" default=""
# today: option name=folder title="Folder on the host" default=""
#
# Gives content to another machine: a host that ssh reaches without a question (scp, rsync), whoever has the code (croc),
# or a camera (a QR code, of text). Where it is then, how it is received, or the QR code is printed.
set -eu
by=${TODAY_OPTION_BY:-scp}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "$2" >&2
    exit "$1"
}

need() {
    command -v "$1" >/dev/null || fail 69 "$1 is not installed; $2"
}

name=${TODAY_NAME:-}
name=${name##*/}
case $name in
'' | . | ..) name=shared ;;
esac
content=$folder/$name
cat >"$content"
runtime=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}

# Sets the place on the host.
find_place() {
    host=${TODAY_OPTION_HOST:-}
    case $host in
    '') fail 64 "the option host names a host of ~/.ssh/config, or user@host" ;;
    -* | *[!A-Za-z0-9._@-]*) fail 64 "$host is no host; expected a name of ~/.ssh/config, or user@host" ;;
    esac
    place=${TODAY_OPTION_FOLDER:-}
    # Relative to the home, of which no shell takes the sign away.
    place=${place#\~/}
    case $place in
    '' | \~) place=./ ;;
    /*) place=${place%/}/ ;;
    *) place=./${place%/}/ ;;
    esac
    place=$place$name
    # What is silent for 30 s is ended; a connection that is dead ends by itself.
    while sleep 10 2>/dev/null; do echo "still handing over" >&2; done >/dev/null &
    beat=$!
    trap 'rm -rf "$folder"; kill "$beat"' EXIT
    # The variables of the session are not passed on to extensions, so its agent is looked for.
    for socket in "$runtime"/keyring/ssh "$runtime"/gcr/ssh "$runtime"/openssh_agent "$runtime"/ssh-agent.socket \
        "$runtime"/gnupg/S.gpg-agent.ssh; do
        if [ -S "$socket" ]; then
            export SSH_AUTH_SOCK="$socket"
            return
        fi
    done
}

# Runs a program that says nothing; of what it says when it fails, the first line is the reason.
transfer() {
    words=$("$@" 2>&1) && return
    printf '%s\n' "$words" | tr -d '\r' | sed -n '/^Warning: /d;/./{p;q;}' >&2
    exit 1
}

# Leaves the content to a service of the user, as all that an extension has started ends with it; prints the code.
offer_by_croc() {
    need croc "get it from https://github.com/schollz/croc"
    need systemd-run "croc needs it, to go on until the content is received"
    log=$folder.log
    : >"$log"
    trap 'rm -rf "$folder" "$log"' EXIT
    XDG_RUNTIME_DIR=$runtime systemd-run --user --quiet --collect --service-type=exec \
        --property=RuntimeMaxSec=1h --property="ExecStopPost=rm -rf $folder $log" --property="WorkingDirectory=$folder" \
        --property="StandardOutput=file:$log" --property="StandardError=append:$log" \
        croc send "$content" >&2
    # What the service needs is its own now.
    trap - EXIT
    tries=0
    while [ $tries -lt 100 ]; do
        # A service that has ended has removed it.
        code=$(sed -n 's/.*Code is: *//p;T;q' "$log" 2>/dev/null) || break
        if [ -n "$code" ]; then
            printf 'croc %s\n' "$code"
            return
        fi
        tries=$((tries + 1))
        sleep 0.2
    done
    fail 1 "croc has printed no code; look at: journalctl --user"
}

show_code() {
    need qrencode "install it with: apt install qrencode"
    # A variable has no NUL, and the line feeds at the end are left out.
    text=$(tr '\0' '\377' <"$content")
    ! printf '%s\n' "$text" | LC_ALL=C.UTF-8 grep -qavx '.*' || fail 65 "a QR code is for text"
    size=$(printf %s "$text" | wc -c)
    [ "$size" -gt 0 ] || fail 65 "there is nothing to show"
    [ "$size" -le 2953 ] || fail 65 "a QR code has at most 2953 bytes, and this has $size"
    printf %s "$text" | qrencode --type=UTF8 --level=L --8bit --output=-
}

case $by in
scp)
    need scp "install it with: apt install openssh-client"
    find_place
    # By SFTP, with which no shell of the host reads the name.
    transfer scp -s -B -o ConnectTimeout=15 -o ServerAliveInterval=15 -- "$content" "$host:$place"
    printf '%s\n' "$host:$place"
    ;;
rsync)
    need rsync "install it with: apt install rsync"
    find_place
    # -s: no shell of the host reads the name.
    transfer rsync -s --rsh="ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15" -- "$content" \
        "$host:$place"
    printf '%s\n' "$host:$place"
    ;;
croc) offer_by_croc ;;
qr) show_code ;;
esac
