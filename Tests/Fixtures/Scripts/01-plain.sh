#!/bin/sh
# today: title="Text" lines=3
printf '\033[32mall\033[0m is \033[1mwell\033[0m\nsecond row, which is longer than a narrow card can show it\nthird\nfourth\n'
