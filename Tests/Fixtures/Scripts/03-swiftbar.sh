#!/bin/sh
# <swiftbar.title>SwiftBar</swiftbar.title>
printf 'title\n---\n\nfirst | shell=echo param1="a b"\n-----\nlast | length=6\n'
