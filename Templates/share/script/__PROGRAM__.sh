#!/bin/sh
# today: share accepts="public.plain-text" title="__NAME__" leaves=false
# today: option name=file title="File" default=shared.txt
#
# Standard input is the content. What is printed is what sharing has made, such as an address. A status other than 0
# says that it failed; the last line of standard error is shown as the reason. Without leaves=false, the content is taken
# to leave this machine.
#
#   cp __PROGRAM__.sh ~/.config/today/scripts
#   git diff | today share --with __PROGRAM__
set -eu

file=${HOME:?}/${TODAY_OPTION_FILE:-shared.txt}
cat >>"$file"
printf '%s\n' "$file"
