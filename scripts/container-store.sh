#!/usr/bin/env bash
# Makes the store that tests of containers share, with the image of sandboxes in it; again only when what
# the image is made of has changed. Tests read it and have stores of their own for everything else.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
store=$repository/target/container-image
inputs=("$repository/crates/sandbox/container/Containerfile" "$repository/scripts/container-image.sh")
digest=$(cat "${inputs[@]}" | sha256sum | cut -d ' ' -f 1)

mkdir -p "$store"
exec 9>"$store/lock"
flock 9
if [[ $(cat "$store/made" 2>/dev/null) == "$digest" ]]; then exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What works on every machine with root: no service manager, no limits above what this shell has.
cat >"$work/containers.conf" <<'TEXT'
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
TEXT
export CONTAINERS_CONF=$work/containers.conf
podman=(podman --storage-driver overlay --root "$store/root" --runroot "$work/run" --tmpdir "$work/tmp")
rm -f "$store/made"
"${podman[@]}" image prune --all --force >/dev/null
"$repository/scripts/container-image.sh" --from-packages -- "${podman[@]}"
# Left by the build; a mount in the store would keep its directory busy.
umount "$store/root/overlay" 2>/dev/null || true
echo "$digest" >"$store/made"
