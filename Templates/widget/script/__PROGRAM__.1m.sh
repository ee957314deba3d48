#!/bin/sh
# today: title="__NAME__" lines=10
#
# What it prints is the card: once a minute, as its name says. Colours are those of the terminal.
# <xbar.var>number(VAR_GOAL=90): The part of a disk that is too much, in %.</xbar.var>
set -u

df -P / /home 2>/dev/null | sort -u | awk -v "goal=${VAR_GOAL:-90}" '
    $6 ~ /^\// {
        colour = int($5) >= goal ? 31 : 32
        printf "\033[%dm%4s\033[0m  %s\n", colour, $5, $6
    }'
