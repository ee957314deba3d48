#!/bin/sh
# today: title="Waybar" format=waybar display="{icon} {}" icons='["low","half","full"]' on-click="true" on-scroll-up="true"
printf '%s\n' '{"text": "71 %", "percentage": 71, "class": "good", "tooltip": "2 h 10 min left\r7.2 W"}'
