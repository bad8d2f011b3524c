#!/usr/bin/env bash
# Writes the two-line program of this skill, shows it and runs it.
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: make.sh [--out FILE]

Writes hello_world.py (or FILE) into the current directory, prints it, runs it and prints what it said.
A file that is already there and holds something else is left alone.

Exit codes: 0 made and run, 1 could not write or run it, 2 wrong usage.
TEXT
}

# Some frameworks hand the model standard output and nothing else, so that is where errors go too.
stop() {
    echo "Error: $2"
    exit "$1"
}

out=hello_world.py
while [ $# -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --out)
            [ $# -ge 2 ] && [ -n "$2" ] || stop 2 "--out needs a file name"
            out=$2
            shift 2
            ;;
        *) stop 2 "unknown argument '$1'; --help lists the options" ;;
    esac
done

program="# Made by Skill hello-world
print('Hello, World!')"

command -v python3 >/dev/null || stop 1 "python3 is not installed"
if [ -e "$out" ] && [ "$(cat -- "$out")" != "$program" ]; then
    stop 1 "$out already exists and holds something else; choose another name with --out"
fi
printf '%s\n' "$program" 2>/dev/null >"$out" || stop 1 "cannot write $out"

echo "Wrote $out:"
cat -- "$out"
echo
echo "Output of python3 $out:"
python3 -- "$out" || stop 1 "$out did not run"
