# shellcheck shell=bash
# A private PostgreSQL and a private Redis in one temporary directory, never the system's. Sourced by
# ./test and ./bench after packages.sh:
#
#   trap services_stop EXIT
#   services_start   # exports PROLIFERATE_TEST_POSTGRES_URL and PROLIFERATE_TEST_REDIS_URL
#
# Call it from the main shell, not from a subshell: the servers die with the shell that started them.

services_directory=
services_postgres_pid=
services_redis_pid=
# Tests wait for data that nobody reads again: PostgreSQL keeps none of it safe. A measurement sets this
# to 1, because a commit that does not reach the disk is not the commit people will have.
services_durable=0

# How long a server may take to answer, in tenths of a second. A busy machine needs a few seconds.
readonly SERVICES_READY_TENTHS_MAX=300
# A port may be taken between choosing and binding it; then the next one is tried.
readonly SERVICES_PORT_ATTEMPTS_MAX=20

services_start() {
    services_directory=$(mktemp -d "$(services_place)/proliferate-services.XXXXXX")
    chmod 711 "$services_directory"
    services_start_postgres
    services_start_redis
}

# In memory where there is enough of it: what nobody reads again need not be written to a disk. Not below TMPDIR: a
# socket's path may have 107 bytes, and the postgres user must reach it.
services_place() {
    if ((!services_durable)) && services_has_memory; then echo /dev/shm; else echo /tmp; fi
}

# A sandbox with the agent has some 200 megabytes of files, and a few are there at once. Most of it is left to programs.
services_has_memory() {
    local kilobytes
    [[ -d /dev/shm && -w /dev/shm ]] || return 1
    kilobytes=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null)
    ((${kilobytes:-0} >= 8 * 1024 * 1024)) || return 1
    kilobytes=$(df --output=avail -k /dev/shm | tail -n 1)
    ((kilobytes >= 8 * 1024 * 1024))
}

# Stops exactly what was started, by process id, and removes the directory. Safe to call twice.
services_stop() {
    # SIGQUIT is PostgreSQL's immediate shutdown: nobody reads this data again.
    services_stop_process "$services_postgres_pid" QUIT
    services_stop_process "$services_redis_pid" TERM
    services_postgres_pid=
    services_redis_pid=
    if [[ -n $services_directory ]]; then rm -rf "$services_directory"; fi
    services_directory=
}

services_stop_process() {
    local pid=$1 signal=$2 tenth
    if [[ -z $pid ]] || ! kill -s "$signal" "$pid" 2>/dev/null; then return 0; fi
    for ((tenth = 0; tenth < 100; tenth++)); do
        if ! kill -0 "$pid" 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    kill -s KILL "$pid" 2>/dev/null || true
}

# Below the ports that the kernel hands to clients (32768 and up), so that no connection of a test
# can sit on it. Two commands that choose the same port: one fails to bind and chooses again.
services_choose_port() {
    echo $((20000 + (RANDOM * 32768 + RANDOM) % 12000))
}

# Runs a server that survives Ctrl-C in its terminal (setsid), so that it is stopped in order, and
# dies when this shell is killed (pdeathsig), so that it never stays behind. Both replace themselves
# by the server: the background process id is the server's own.
services_run() {
    local log=$1
    shift
    exec setsid setpriv "$@" >>"$log" 2>&1 </dev/null
}

services_start_postgres() {
    local bin data=$services_directory/postgres log=$services_directory/postgres.log
    bin=$(postgres_bin)
    # PostgreSQL refuses to run as root.
    local as_user=()
    if ((EUID == 0)); then as_user=(--reuid postgres --regid postgres --init-groups); fi
    mkdir "$data"
    if ((EUID == 0)); then chown postgres: "$data"; fi
    if ! (cd "$data" && setpriv "${as_user[@]}" -- "$bin/initdb" --pgdata "$data" --auth trust \
        --username proliferate --encoding UTF8 --locale C --no-sync >"$log" 2>&1); then
        cat "$log" >&2
        return 1
    fi
    local unsafe=(-c fsync=off -c synchronous_commit=off -c full_page_writes=off)
    if ((services_durable)); then unsafe=(); fi
    local attempt port tenth
    for ((attempt = 0; attempt < SERVICES_PORT_ATTEMPTS_MAX; attempt++)); do
        port=$(services_choose_port)
        services_run "$log" --pdeathsig QUIT "${as_user[@]}" -- "$bin/postgres" -D "$data" \
            -p "$port" -k "$data" -c listen_addresses=127.0.0.1 -c max_connections=400 \
            "${unsafe[@]}" &
        services_postgres_pid=$!
        for ((tenth = 0; tenth < SERVICES_READY_TENTHS_MAX; tenth++)); do
            if ! kill -0 "$services_postgres_pid" 2>/dev/null; then break; fi
            # Through our own socket: another server may own the port.
            if "$bin/pg_isready" --quiet --host "$data" --port "$port"; then
                export PROLIFERATE_TEST_POSTGRES_URL="postgres://proliferate@127.0.0.1:$port/postgres"
                echo "PostgreSQL $("$bin/postgres" --version | awk '{print $3}') on port $port"
                return 0
            fi
            sleep 0.1
        done
        if ! services_port_was_taken "$services_postgres_pid" "$log"; then break; fi
    done
    services_explain PostgreSQL "$log"
}

services_start_redis() {
    local data=$services_directory/redis log=$services_directory/redis.log
    mkdir "$data"
    local attempt port tenth
    for ((attempt = 0; attempt < SERVICES_PORT_ATTEMPTS_MAX; attempt++)); do
        port=$(services_choose_port)
        services_run "$log" --pdeathsig TERM -- redis-server --port "$port" --bind 127.0.0.1 \
            --unixsocket "$data/socket" --dir "$data" --save '' --appendonly no &
        services_redis_pid=$!
        for ((tenth = 0; tenth < SERVICES_READY_TENTHS_MAX; tenth++)); do
            if ! kill -0 "$services_redis_pid" 2>/dev/null; then break; fi
            if [[ $(redis-cli -s "$data/socket" ping 2>/dev/null) == PONG ]]; then
                export PROLIFERATE_TEST_REDIS_URL="redis://127.0.0.1:$port"
                echo "Redis $(redis-server --version | sed -E 's/.* v=([^ ]+).*/\1/') on port $port"
                return 0
            fi
            sleep 0.1
        done
        if ! services_port_was_taken "$services_redis_pid" "$log"; then break; fi
    done
    services_explain Redis "$log"
}

# Whether a server that is gone left because of its port, which is worth another attempt.
services_port_was_taken() {
    local pid=$1 log=$2
    ! kill -0 "$pid" 2>/dev/null && grep -q -i 'address already in use' "$log"
}

services_explain() {
    {
        echo "$1 did not become ready. Its log says:"
        tail -n 20 "$2"
    } >&2
    return 1
}
