#!/bin/bash
# The benchmark's widget in bash. It answers every update with the next reading and starts no process;
# with `once` it creates one view in the same way, prints it, and exits.

number=${BASH_SOURCE[0]%/widget}
number=${number%.widget}
number=${number##*Bench}
number=$((10#${number//[!0-9]/0}))
steps=$((1000 * number)) seed=$number

# Stores the next reading as a view in `view`.
advance() {
    seed=$(((seed * 1664525 + 1013904223) % 4294967296))
    steps=$((steps + 1))
    local level=$(((seed >> 22) * 1000 / 1024))
    printf -v view '{"type":"vstack","children":["count %10d","level %6d.%d %%"]}' \
        "$steps" $((level / 10)) $((level % 10))
}

if [ "$1" = once ]; then
    advance
    printf '%s\n' "$view"
    exit
fi

while IFS= read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
    *'"method":"initialize"'*)
        printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" \
            '{"protocolVersion":1,"implements":["widgetPerformUpdate"]}'
        ;;
    *'"method":"widgetPerformUpdate"'*)
        advance
        printf '{"jsonrpc":"2.0","id":%s,"result":{"result":"newData","view":%s}}\n' "$id" "$view"
        ;;
    *'"method":"shutdown"'*) exit ;;
    esac
done
