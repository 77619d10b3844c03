# shellcheck shell=bash
# Runs the steps of a command so that Ctrl-C, or a signal to the command alone, ends the running step
# with everything below it and then the services. Sourced after services.sh.

steps_pid=

steps_trap() {
    trap steps_end EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
}

steps_end() {
    # A second Ctrl-C must not leave half of it behind.
    trap '' INT TERM HUP
    steps_end_command
    services_stop
}

# Runs one command in its own process group and waits for it. In the foreground of this shell a
# signal would wait for the command; in its group the command can be ended with its children.
steps_run_command() {
    local status=0
    set -m
    "$@" &
    steps_pid=$!
    set +m
    wait "$steps_pid" || status=$?
    steps_pid=
    return "$status"
}

# The same, and keeps a copy of the output in a file for the summary.
steps_run_logged() {
    local log=$1
    shift
    steps_run_command steps_tee "$log" "$@"
}

steps_tee() {
    local log=$1
    shift
    "$@" 2>&1 | tee "$log"
}

steps_end_command() {
    if [[ -z $steps_pid ]]; then return 0; fi
    local signal tenth
    # The test runner needs a moment to end its tests after the first signal.
    for signal in INT TERM KILL; do
        kill -s "$signal" -- "-$steps_pid" 2>/dev/null || return 0
        for ((tenth = 0; tenth < 50; tenth++)); do
            if ! kill -0 -- "-$steps_pid" 2>/dev/null; then return 0; fi
            sleep 0.1
        done
    done
}

# 252 -> 4m12s
steps_duration() {
    local seconds=$1
    if ((seconds < 60)); then
        echo "${seconds}s"
    else
        echo "$((seconds / 60))m$((seconds % 60))s"
    fi
}
