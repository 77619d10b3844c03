# shellcheck shell=bash
# Runs the steps of a command so that Ctrl-C, or a signal to the command alone, ends the running steps
# with everything below them and then the services. Sourced after services.sh.

steps_pid=
# What runs beside the other steps: its process, and the file with its output.
steps_beside_pid=
steps_beside_log=
steps_is_beside=false
steps_beside_at=

steps_trap() {
    trap steps_end EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap 'exit 129' HUP
}

steps_end() {
    # A second Ctrl-C must not leave half of it behind.
    trap '' INT TERM HUP
    steps_end_group "$steps_pid"
    steps_end_group "$steps_beside_pid"
    services_stop
}

# Runs one command in its own process group and waits for it. In the foreground of this shell a
# signal would wait for the command; in its group the command can be ended with its children.
steps_run_command() {
    local status=0
    # What runs beside the others is in a group already.
    if $steps_is_beside; then
        "$@"
        return
    fi
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

# Starts steps that need no compiler beside those that follow. Their output waits in a file.
steps_start_beside() {
    steps_beside_log=$1
    shift
    set -m
    steps_beside "$@" >"$steps_beside_log" 2>&1 &
    steps_beside_pid=$!
    set +m
}

steps_beside() {
    local step started
    steps_is_beside=true
    # Errors end this shell, as in every step; it says where it was.
    trap '[[ $? == 0 ]] || echo "failed: $steps_beside_at"' EXIT
    for step in "$@"; do
        started=$SECONDS
        steps_beside_at=${step//_/ }
        "$step"
        echo "beside: $steps_beside_at: $(steps_duration $((SECONDS - started)))"
    done
}

# Waits for them, and shows what they said.
steps_join_beside() {
    local status=0
    if [[ -z $steps_beside_pid ]]; then return 0; fi
    wait "$steps_beside_pid" || status=$?
    steps_beside_pid=
    cat "$steps_beside_log"
    return "$status"
}

steps_end_group() {
    local group=$1 signal tenth
    if [[ -z $group ]]; then return 0; fi
    # The test runner needs a moment to end its tests after the first signal.
    for signal in INT TERM KILL; do
        kill -s "$signal" -- "-$group" 2>/dev/null || return 0
        for ((tenth = 0; tenth < 50; tenth++)); do
            if ! kill -0 -- "-$group" 2>/dev/null; then return 0; fi
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
