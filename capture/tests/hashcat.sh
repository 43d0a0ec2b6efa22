#!/usr/bin/env bash
# Captures hashcat's benchmark of two modes and replays it, which takes minutes on a CPU:
# capture/tests/hashcat.sh [FOLDER]. With hashcat installed (Debian: apt-get install hashcat).
set -euo pipefail
parallax=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/parallax
into=${1:-$(mktemp -d)}
for mode in 0 100; do # MD5, SHA1
    # Kernels that an earlier run has built are binaries, which have no text.
    home=$(mktemp -d)
    HOME=$home "$parallax" capture -o "$into/hashcat-$mode" --per-kernel 2 -- \
        hashcat --benchmark --hash-type "$mode" --force --workload-profile 1 --runtime 5
    rm -rf "$home"
    "$parallax" run -s "$into/hashcat-$mode/" -d opencl:0 -o "$into/hashcat-$mode.jsonl"
done
echo "kept in $into"
