#!/bin/sh
# today: share accepts="public.text, public.url, public.image, com.adobe.pdf" title="Copy" description="to the clipboard, also through ssh" leaves=false
# today: option name=to title="To" choices="everywhere, terminal, desktop" default=everywhere
#
# Copies to the clipboard of the desktop, with the type of the content, and to that of the terminal, which may be on
# another machine (OSC 52). A terminal takes text alone.
set -eu
to=${TODAY_OPTION_TO:-everywhere}
content=$(mktemp)
trap 'rm -f "$content"' EXIT
cat >"$content"
copied=

# What the type is called on desktops; text needs no name.
case ${TODAY_TYPE:-} in
public.png) mime=image/png ;;
public.jpeg) mime=image/jpeg ;;
public.tiff) mime=image/tiff ;;
public.svg-image) mime=image/svg+xml ;;
com.compuserve.gif) mime=image/gif ;;
org.webmproject.webp) mime=image/webp ;;
com.adobe.pdf) mime=application/pdf ;;
public.html) mime=text/html ;;
public.rtf) mime=text/rtf ;;
*) mime= ;;
esac
is_text=1
if LC_ALL=C.UTF-8 grep -qavx '.*' "$content"; then is_text=; fi

# Starts what keeps the clipboard as a service of the user, as all that an extension has started ends with it. It reads
# the content; `$1` is a variable that it needs.
keep() {
    variable=$1
    shift
    XDG_RUNTIME_DIR=$runtime systemd-run --user --quiet --collect --service-type=exec \
        --property="StandardInput=file:$content" --setenv="$variable" "$@" >/dev/null && copied="$copied, desktop"
}

# The variables of the session are not passed on to extensions, so its sockets are looked for.
runtime=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
copy_to_desktop() {
    command -v systemd-run >/dev/null || return 0
    for socket in "$runtime"/wayland-?; do
        if [ -S "$socket" ] && command -v wl-copy >/dev/null; then
            keep WAYLAND_DISPLAY="${socket##*/}" wl-copy --foreground ${mime:+--type "$mime"} && return
        fi
    done
    for socket in /tmp/.X11-unix/X*; do
        display=${DISPLAY:-:${socket##*/X}}
        if [ -n "${DISPLAY:-}" ] || [ -O "$socket" ] && command -v xclip >/dev/null; then
            keep DISPLAY="$display" xclip -quiet -selection clipboard ${mime:+-t "$mime"} && return
        fi
    done
}

copy_to_terminal() {
    # Terminals ignore longer texts.
    if [ -z "$is_text" ] || [ "$(wc -c <"$content")" -gt 74994 ]; then return 0; fi
    terminal=${TODAY_TERMINAL:-/dev/$(ps -o tty= -p $$ | tr -d ' ')}
    # tmux ignores the sequence, and passes on its buffer instead.
    if tmux list-panes -a -F '#{pane_tty}' 2>/dev/null | grep -qFx "$terminal"; then
        tmux load-buffer -w "$content"
    elif [ -w "$terminal" ] && [ -c "$terminal" ]; then
        printf '\033]52;c;%s\a' "$(base64 -w 0 "$content")" >"$terminal"
    else
        return 0
    fi
    copied="$copied, terminal"
}

[ "$to" = terminal ] || copy_to_desktop
[ "$to" = desktop ] || copy_to_terminal
if [ -z "$copied" ]; then
    echo "there is no clipboard: no terminal that takes this, and no desktop with systemd and wl-copy or xclip" >&2
    exit 69
fi
