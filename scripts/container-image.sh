#!/usr/bin/env bash
# Makes the image of sandboxes that are containers. See --help.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/container-image.sh [--from-packages] [--] [engine command...]

  Builds localhost/proliferate-sandbox:latest with `podman`, or with `docker` where there is no podman,
  or with the command given, for example: podman --root /srv/store

  --from-packages   makes the base image of Debian packages (needs mmdebstrap and root), for machines
                    that reach no registry
TEXT
}

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
image=localhost/proliferate-sandbox:latest
base=localhost/proliferate-base:latest
from_packages=false
engine=()
while (($# > 0)); do
    case $1 in
        -h | --help) usage && exit 0 ;;
        --from-packages) from_packages=true ;;
        --)
            shift
            engine=("$@")
            break
            ;;
        -*)
            echo "unknown argument: $1" >&2
            usage >&2
            exit 2
            ;;
        *)
            engine=("$@")
            break
            ;;
    esac
    shift
done
if ((${#engine[@]} == 0)); then
    if command -v podman >/dev/null; then engine=(podman); else engine=(docker); fi
fi

arguments=(--file "$repository/crates/sandbox/container/Containerfile" --tag "$image")
if $from_packages; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # Everything that the Containerfile wants, so that building needs no network.
    mmdebstrap --quiet --variant=minbase \
        --include=ca-certificates,curl,git,jq,procps,ripgrep,socat,tini bookworm "$work/base.tar"
    "${engine[@]}" import "$work/base.tar" "$base"
    arguments+=(--build-arg "BASE=$base")
fi
# The folder of the Containerfile is all that the build sees; nothing is copied from it.
"${engine[@]}" build "${arguments[@]}" "$repository/crates/sandbox/container"
echo "made: $image"
