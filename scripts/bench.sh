#!/usr/bin/env bash
# Measures the product with full optimisation against private databases and prints a table.
set -euo pipefail

# Upwards to the workspace, so that it does not matter where in the repository this file lies.
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
while [[ ! -f $repository/Cargo.lock ]]; do repository=$(dirname "$repository"); done
# shellcheck source=scripts/packages.sh
source "$repository/scripts/packages.sh"
# shellcheck source=scripts/services.sh
source "$repository/scripts/services.sh"
# shellcheck source=scripts/steps.sh
source "$repository/scripts/steps.sh"

case ${1-} in
    -h | --help)
        echo "usage: bench [arguments of the bench program]"
        echo "Builds the benchmarks with optimisation, starts private databases, prints a table."
        exit 0
        ;;
esac

cd "$repository"
require_cargo
want_c_compiler
want_services
install_missing
steps_trap

steps_run_command cargo build --locked --release --workspace --bin bench
services_start >&2
steps_run_command "${CARGO_TARGET_DIR:-target}/release/bench" "$@"
