#!/bin/sh
# today: title="Follow" follow=true lines=2
printf 'one\n\033[33mtwo\033[0m\n10%%\r100%%\n'
exec sleep 1000
