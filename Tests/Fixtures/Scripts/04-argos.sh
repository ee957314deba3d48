#!/bin/sh
# today: title="Argos" format=argos
printf 'title\n---\nitem | font=mono-Bold\n--below\n'
exit 3
