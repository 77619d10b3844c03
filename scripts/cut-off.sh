#!/usr/bin/env bash
# A run of tests that is cut off leaves nothing behind: starts ./test with tests of sandboxes and containers, sends it each of
# the signals that end it, and looks for what is left. One of the long matrices of ./test full.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/leftovers.sh
source scripts/leftovers.sh

# Sandboxes of both tiers with the agent in them, and containers: all of them outlive the test that made them.
readonly FILTER='test(runs_the_agent) | test(podman::sandboxes_come_and_go_without_a_trace)'
# A build may come first.
readonly STARTS_SECONDS_MAX=1800
readonly SETTLES_SECONDS=5
readonly ENDS_SECONDS_MAX=120

run=
directory=

end_run() {
    if [[ -n $run ]]; then kill -s TERM "$run" 2>/dev/null || true; fi
}
trap end_run EXIT

# The temporary directory of the run, once a test has it in its environment.
find_directory() {
    local pid
    for pid in $(descendants "$run"); do
        # It may have ended meanwhile.
        { tr '\0' '\n' <"/proc/$pid/environ"; } 2>/dev/null | sed -n 's#^TMPDIR=\(.*/proliferate-test\.[^/]*\)$#\1#p' || true
    done | sort -u | head -n 1
}

descendants() {
    local child
    for child in $(pgrep -P "$1"); do
        echo "$child"
        descendants "$child"
    done
}

# Whether one of the run's processes is what holds a sandbox or watches a container.
something_lives() {
    local pid
    for pid in $(leftovers_processes "$directory"); do
        if grep -qsxE 'bwrap|conmon' "/proc/$pid/comm"; then return 0; fi
    done
    return 1
}

# Waits until the tests have made something that lives on without them.
until_something_lives() {
    local second
    for ((second = 0; second < STARTS_SECONDS_MAX; second++)); do
        directory=$(find_directory)
        if [[ -n $directory ]] && something_lives; then
            sleep "$SETTLES_SECONDS"
            return 0
        fi
        kill -0 "$run" 2>/dev/null || { echo "the run ended before it was cut off" >&2 && return 1; }
        sleep 1
    done
    echo "no sandbox came up" >&2
    return 1
}

until_it_has_ended() {
    local second
    for ((second = 0; second < ENDS_SECONDS_MAX; second++)); do
        if ! kill -0 "$run" 2>/dev/null; then return 0; fi
        sleep 1
    done
    echo "the run did not end in $ENDS_SECONDS_MAX s" >&2
    return 1
}

cut_off() {
    local signal=$1 expected=$2 status=0
    local -a sandboxes
    # In a process group of its own: the signal is for ./test alone, as from a supervisor.
    set -m
    ./test -- -p sandbox -E "$FILTER" &
    run=$!
    set +m
    until_something_lives
    mapfile -t sandboxes < <(leftovers_sandboxes "$directory")
    echo "cut off by $signal with $(leftovers_processes "$directory" "${sandboxes[@]}" | wc -l) processes"
    kill -s "$signal" "$run"
    until_it_has_ended
    wait "$run" || status=$?
    run=
    if ((status != expected)); then
        echo "./test ended with $status and not with $expected" >&2
        return 1
    fi
    nothing_is_left "${sandboxes[@]}"
}

nothing_is_left() {
    local left
    left=$(
        leftovers_processes "$directory" "$@"
        leftovers_sandboxes "$directory"
        awk -v below="$directory/" 'index($2, below) == 1 { print $2 }' /proc/mounts
        if [[ -e $directory ]]; then echo "$directory"; fi
        for id in "$@"; do
            ls -d /sys/fs/cgroup/{,*/}proliferate/"$id" "$LEFTOVERS_SANDBOXES/$id" "/run/netns/proliferate-$id" 2>/dev/null
        done || true
    )
    if [[ -n $left ]]; then
        printf 'left after the run was cut off:\n%s\n' "$left" >&2
        return 1
    fi
    echo "nothing is left"
}

cut_off TERM 143
cut_off INT 130
cut_off HUP 129
