# shellcheck shell=bash
# The long matrices of `./test full`: what is too long for every change and is run by hand when an area is touched. Sourced by
# ./test. A matrix is a line in MATRICES and a function; one that passes is dated in docs/verified.md.

# Name and what is run. The name is that of the function `matrix_NAME`, and of the row in docs/verified.md.
readonly MATRICES=(
    "simulation: 500 worlds of many gateways on virtual time, with faults"
    "kills: 60 sessions whose agent, daemon or gateway is killed"
    "properties: every property with 20,000 cases, and 200,000 mutants for each parser of bytes from others"
    "fuzzing: each parser of bytes from others for ten minutes under libFuzzer"
    "cut_off: a run of tests that is cut off leaves nothing running"
)
readonly MATRICES_RECORD=docs/verified.md

matrices_names() { printf '%s\n' "${MATRICES[@]%%:*}"; }

# Shown by ./test --help.
matrices_usage() { printf '                    %s\n' "${MATRICES[@]}"; }

# Each time other worlds and sessions than before: what the usual tests try is the same every time.
matrices_seed() { echo "$EPOCHSECONDS"; }

matrix_simulation() {
    steps_run_command cargo xtask simulate --seeds 500 --from "$(matrices_seed)"
}

matrix_kills() {
    local from
    from=$(matrices_seed)
    local -x PROLIFERATE_TEST_KILLS=$from..$((from + 60))
    runner_arguments=(-E 'test(kills::)')
    tests
}

matrix_properties() {
    local -x PROPTEST_CASES=20000 FUZZ_MUTANTS=200000
    FUZZ_SEED=$(matrices_seed)
    local -x FUZZ_SEED
    runner_arguments=(-E 'kind(lib) | kind(bin) | package(fuzz)')
    tests
}

matrix_fuzzing() { steps_run_command cargo xtask fuzz --seconds 600; }

matrix_cut_off() { steps_run_command scripts/cut-off.sh; }

# Dates a matrix that has passed in its row of the record.
matrices_date() {
    local name=$1 commit
    commit=$(git rev-parse --short HEAD)
    if ! git diff --quiet HEAD -- . ":!$MATRICES_RECORD"; then commit="$commit and changes"; fi
    sed -i "s/^| $name |\(.*\)|[^|]*|[^|]*|$/| $name |\1| $(date +%F) | $commit |/" "$MATRICES_RECORD"
    grep -q "^| $name |.*| $(date +%F) |" "$MATRICES_RECORD" || {
        echo "$MATRICES_RECORD has no row for $name" >&2
        return 1
    }
}
