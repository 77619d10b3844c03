#!/usr/bin/env bash
# Installs apt packages as root without leaving a service behind: the commands start their own
# private PostgreSQL and Redis, and a second pair would only take memory and ports.
set -euo pipefail

packages=("$@")
policy=/usr/sbin/policy-rc.d
clusters=/etc/postgresql-common/createcluster.conf
log=$(mktemp)
policy_is_ours=false
clusters_are_ours=false

restore() {
    if $policy_is_ours; then rm -f "$policy"; fi
    if $clusters_are_ours; then mv -f "$clusters.before" "$clusters"; fi
    rm -f "$log"
}
trap restore EXIT

# apt is silent unless it fails: its pages of output would hide what the caller does.
apt() {
    if ! DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 \
        "$@" >"$log" 2>&1 </dev/null; then
        cat "$log" >&2
        return 1
    fi
}

wants() {
    local package
    for package in "${packages[@]}"; do
        if [[ $package == "$1" ]]; then return 0; fi
    done
    return 1
}

# While this file answers 101, Debian's packages do not start their services.
if [[ ! -e $policy ]]; then
    policy_is_ours=true
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

apt update

# The server package creates a system cluster unless its common package, installed before, is told
# not to. The setting is put back afterwards: it is the machine's, not ours.
if wants postgresql; then
    apt install --no-install-recommends -y postgresql-common
    if [[ -f $clusters ]]; then
        cp -p "$clusters" "$clusters.before"
        clusters_are_ours=true
        sed -i -E '/^ *create_main_cluster/d' "$clusters"
        echo 'create_main_cluster = false' >>"$clusters"
    fi
fi

apt install --no-install-recommends -y "${packages[@]}"

# The policy keeps the service from starting now; this keeps it from starting at the next boot.
if wants redis-server && [[ -d /run/systemd/system ]]; then
    systemctl --quiet disable --now redis-server.service || true
fi
