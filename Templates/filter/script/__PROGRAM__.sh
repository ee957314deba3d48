#!/bin/sh
# today: action accepts="public.plain-text" title="__NAME__"
# today: option name=width title="Width" choices="40, 60, 72" default=72
#
# Standard input is the content, and what is printed takes its place. A status other than 0 leaves the content
# as it is; the last line of standard error is shown as the reason.
#
#   cp __PROGRAM__.sh ~/.config/today/scripts
#   fortune | today act --with __PROGRAM__ --option width=40
set -eu

exec fold -s -w "${TODAY_OPTION_WIDTH:-72}"
