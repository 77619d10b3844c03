# shellcheck shell=bash
# Ends what a run of tests left running: sandboxes, containers, agents and keepers leave the process group of the test that
# started them, so that a test that is killed cannot take them along. Sourced by ./test.
#
# Everything of a run is known by the run's own temporary directory, which no other process of the machine names:
# sandboxes, agents and engines have it in their environment, their command line, their directory or their root file
# system. What belongs to other runs and to other people is left alone.

# Where the local provider publishes the owner of a sandbox in the root tier: crates/sandbox/src/local/root_tier.rs.
readonly LEFTOVERS_SANDBOXES=/run/proliferate-sandbox
# A process that is ended may just have started another.
readonly LEFTOVERS_ROUNDS_MAX=50

# Ends everything that names this directory and removes what it has in the kernel. Prints how many of which programs there
# were.
leftovers_end() {
    local directory=$1 round pid id name
    local -a ids pids
    local -A seen=() counts=()
    mapfile -t ids < <(leftovers_sandboxes "$directory")
    for ((round = 0; round < LEFTOVERS_ROUNDS_MAX; round++)); do
        mapfile -t pids < <(leftovers_processes "$directory" "${ids[@]}")
        if ((${#pids[@]} == 0)); then break; fi
        for pid in "${pids[@]}"; do
            # One that has ended meanwhile, with the one before it, has no name any more.
            name=$(cat "/proc/$pid/comm" 2>/dev/null) || continue
            if [[ -z ${seen[$pid]-} ]]; then counts[$name]=$((${counts[$name]-0} + 1)); fi
            seen[$pid]=1
            kill -s KILL "$pid" 2>/dev/null || true
        done
        sleep 0.1
    done
    for name in "${!counts[@]}"; do echo "left by the tests, ended: ${counts[$name]} x $name"; done
    for id in "${ids[@]}"; do leftovers_forget_sandbox "$id"; done
    while read -r id; do leftovers_forget_container "$id"; done < <(leftovers_containers "$directory")
    leftovers_unmount "$directory"
}

# The sandboxes of the root tier that have their record below the directory.
leftovers_sandboxes() {
    local directory=$1 owner
    for owner in "$LEFTOVERS_SANDBOXES"/owners/*; do
        if [[ $(readlink "$owner") == "$directory"/* ]]; then basename "$owner"; fi
    done
}

# The processes that name the directory, and those in a control group of one of the sandboxes.
leftovers_processes() {
    local directory=$1 file id
    shift
    {
        # The pattern comes through a file: on the command line this would find itself.
        grep -lsF -f <(echo "$directory/") /proc/[0-9]*/environ /proc/[0-9]*/cmdline
        for file in /proc/[0-9]*/{cwd,root}; do
            if [[ $(readlink "$file" 2>/dev/null) == "$directory"/* ]]; then echo "$file"; fi
        done
        # A sandbox and a container are a process whose root or home is an overlay with its upper side there. A mount at
        # any other place is seen by processes that have nothing to do with it.
        awk -v upper="upperdir=$directory/" '
            ($5 == "/" || $5 == "/home/user") && index($0, upper) { print FILENAME; nextfile }
        ' /proc/[0-9]*/mountinfo 2>/dev/null
        for id in "$@"; do grep -lsF "/proliferate/$id" /proc/[0-9]*/cgroup; done
    } | cut -d / -f 3 | sort -u | grep -vx "$$" || true
}

# What a sandbox of the root tier has in the kernel beside its processes: control groups, interfaces, rules. The directory
# with its record goes with the run's.
leftovers_forget_sandbox() {
    local id=$1 group
    for group in /sys/fs/cgroup/{,unified/,memory/,pids/,cpu/}proliferate/"$id"; do
        if [[ -d $group ]]; then find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; fi
    done
    nft delete table inet "proliferate_$id" 2>/dev/null || true
    ip link delete "pf$id" 2>/dev/null || true
    ip netns delete "proliferate-$id" 2>/dev/null || true
    grep -lsxF "$id" "$LEFTOVERS_SANDBOXES"/net/* 2>/dev/null | xargs --no-run-if-empty rm -f
    rm -rf "${LEFTOVERS_SANDBOXES:?}/$id" "$LEFTOVERS_SANDBOXES/owners/$id"
}

# The containers of engines that keep their store below the directory.
leftovers_containers() {
    find "$1" -xdev -path '*/overlay-containers/*' -prune -type d -printf '%f\n' 2>/dev/null
}

# What the engine's runtime keeps of a container that was not ended in order.
leftovers_forget_container() {
    local id=$1 group
    for group in /sys/fs/cgroup/{,*/}libpod_parent/libpod-{,conmon-}"$id"; do
        if [[ -d $group ]]; then find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; fi
    done
    rm -rf "/run/runc/${id:?}"
}

# A container engine that was ended in the middle leaves its store mounted.
leftovers_unmount() {
    awk -v below="$1/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r |
        xargs --no-run-if-empty umount --lazy || true
}
