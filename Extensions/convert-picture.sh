#!/bin/sh
# today: action accepts="public.image" title="Convert Picture" description="another format or a smaller size" requires="magick|convert|vipsthumbnail"
# today: option name=to title="To" choices="png, jpeg, webp, avif, gif, tiff" default=png
# today: option name=width title="Largest width in pixels" default=""
#
# Converts a picture to another format, and makes it smaller if a width is given.
set -eu
to=${TODAY_OPTION_TO:-png}
width=${TODAY_OPTION_WIDTH:-}
case $width in
*[!0-9]*)
    echo "the width is a number of pixels, not $width" >&2
    exit 64
    ;;
esac

for program in magick convert; do
    if command -v "$program" >/dev/null; then
        # The first picture of an animation, turned as the camera was held.
        exec "$program" '-[0]' -auto-orient ${width:+-resize "${width}x>"} "$to:-"
    fi
done
if command -v vipsthumbnail >/dev/null; then
    exec vipsthumbnail stdin --size "${width:-65500}x65500>" -o ".$to"
fi
echo "no program for pictures is installed; install one with: apt install imagemagick, or: apt install libvips-tools" >&2
exit 69
