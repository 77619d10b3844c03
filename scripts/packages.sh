# shellcheck shell=bash
# What the commands need from the system: finds it, or installs it from apt, or says how to.
# Sourced by ./run, ./test and ./bench. Nothing happens when everything is there.

# The wanted apt packages that are missing, filled by `want`.
missing_packages=()

# want PACKAGE REASON COMMAND...: COMMAND succeeds when the package is not needed.
want() {
    local package=$1 reason=$2
    shift 2
    if "$@" >/dev/null 2>&1; then return 0; fi
    echo "missing: $package ($reason)"
    missing_packages+=("$package")
}

require_cargo() {
    # A fresh rustup is on the PATH of new shells only.
    if ! command -v cargo >/dev/null && [[ -x $HOME/.cargo/bin/cargo ]]; then
        export PATH="$HOME/.cargo/bin:$PATH"
    fi
    if command -v cargo >/dev/null; then return 0; fi
    cat >&2 <<'TEXT'
cargo was not found: Rust is needed to build this repository.
Install it from https://rustup.rs and try again:
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh
TEXT
    return 1
}

# A C compiler and the C library's headers: SQLite and the TLS library are C code.
want_c_compiler() {
    want gcc "C compiler, for SQLite and TLS" command -v cc
    want libc6-dev "headers of the C library" has_c_headers
}

has_c_headers() {
    # Without a compiler there is nothing to ask yet; installing gcc alone would not bring them.
    command -v cc && echo '#include <stdlib.h>' | cc -E - -o /dev/null
}

# The directory of the newest PostgreSQL server. Debian keeps it off the PATH.
postgres_bin() {
    local newest
    newest=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort --version-sort | tail -n 1)
    if [[ -x $newest ]]; then
        dirname "$newest"
    elif command -v initdb >/dev/null && command -v postgres >/dev/null; then
        dirname "$(command -v initdb)"
    else
        return 1
    fi
}

# Installs what `want` found missing; fails with the exact command when it may not.
install_missing() {
    if ((${#missing_packages[@]} == 0)); then return 0; fi
    local as_root=()
    if ((EUID != 0)); then
        # Without a terminal nobody can type a password, so sudo must not ask for one.
        if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            explain_missing "installing them needs root"
            return 1
        fi
    fi
    if ! command -v apt-get >/dev/null; then
        explain_missing "this system has no apt-get; these are their names on Debian"
        return 1
    fi
    echo "installing: ${missing_packages[*]}"
    if ! "${as_root[@]}" bash "$(dirname "${BASH_SOURCE[0]}")/install.sh" "${missing_packages[@]}"; then
        explain_missing "apt-get failed"
        return 1
    fi
    missing_packages=()
}

explain_missing() {
    {
        echo "Missing packages, and $1. Install them and try again:"
        echo "    apt-get update && apt-get install --no-install-recommends ${missing_packages[*]}"
    } >&2
}

want_services() {
    want postgresql "the database tests run on it" postgres_bin
    want redis-server "the coordination tests run on it" command -v redis-server
}

# Load balancers, as the documentation sets them up.
want_balancers() {
    want nginx-light "the tests of several instances have it in front of them" has_program nginx
    want haproxy "its documented configuration is checked with it" has_program haproxy
}

# The tests of mail send to it. Debian's own Python has it, whichever other one is on the PATH.
want_mail_server() {
    want python3-aiosmtpd "mail server for the tests" /usr/bin/python3 -c "import aiosmtpd"
    want openssl "its certificate is made with it" command -v openssl
}

# The tests of connectors run a tool server that is written for Node.
want_node() {
    want nodejs "a tool server for the tests runs on it" command -v node
    want npm "it brings that tool server" command -v npm
}

# Sandboxes that are containers: the tests have podman make them, of an image made of packages.
want_containers() {
    want podman "sandboxes that are containers run in it" command -v podman
    want runc "podman runs containers with it" has_program runc
    want mmdebstrap "it makes the image of containers" command -v mmdebstrap
}

# The engines of the built-in tools, and a voice for the tests. What a tool needs to run is in
# policy/tools.yaml; without it the tool is unavailable and everything else works.
want_engines() {
    want bubblewrap "tools and sandboxes run in it" command -v bwrap
    want tesseract-ocr "ocr.extract reads pictures with it" command -v tesseract
    want tesseract-ocr-eng "what ocr.extract knows of English" has_english_ocr
    want poppler-utils "document.text reads PDF with it" command -v pdftotext
    want sox "transcription.run converts sound with it" command -v sox
    want libsox-fmt-base "sound formats of transcription.run" has_sound_formats
    want pocketsphinx "transcription.run hears with it" command -v pocketsphinx_continuous
    want pocketsphinx-en-us "what transcription.run knows of English" \
        test -d /usr/share/pocketsphinx/model/en-us
}

# What an agent needs: a sandbox, git in it, and npm to bring the agent itself.
want_agents() {
    want bubblewrap "sandboxes are made of it" command -v bwrap
    want_root_tier
    want git "agents work with it" command -v git
    want npm "it brings the agent" command -v npm
}

# What sandboxes of the root tier are made of; bubblewrap is among the engines.
want_root_tier() {
    want util-linux "sandboxes are entered with it" command -v nsenter
    want iproute2 "networks of sandboxes are made with it" has_program ip
    want nftables "it closes the networks of sandboxes" has_program nft
    want e2fsprogs "disks of sandboxes are made with it" has_program mkfs.ext4
}

want_sandboxes() {
    want_root_tier
    want procps "the tests look at processes with it" command -v pgrep
    want attr "the tests of snapshots set attributes with it" command -v setfattr
}

# The agent, as its lock file has it; again only when that has changed. `npm ci` does not take the lock file:
# packages for other machines, which are optional, are not in it.
install_agent() {
    local folder
    folder=$(dirname "${BASH_SOURCE[0]}")/../crates/agent/opencode
    node_folder "$folder" install --no-save
}

# node_folder FOLDER ARGUMENTS...: npm in a folder, unless it was there since its lock file changed.
node_folder() {
    local folder=$1
    shift
    if [[ $folder/node_modules/.package-lock.json -nt $folder/package-lock.json ]]; then return 0; fi
    npm "$@" --prefix "$folder" --ignore-scripts --no-audit --no-fund
}

has_program() {
    # Programs for root are not on everybody's PATH.
    command -v "$1" || test -x "/usr/sbin/$1" || test -x "/sbin/$1"
}

has_english_ocr() {
    command -v tesseract && tesseract --list-langs | grep --line-regexp eng
}

has_sound_formats() {
    # Without them sox knows no FLAC.
    command -v sox && sox --help | grep '^AUDIO FILE FORMATS:.* flac '
}

# One line on what is missing, for who may do without.
mention_engines() {
    local name missing=()
    for name in bwrap tesseract pdftotext sox pocketsphinx_continuous; do
        if ! command -v "$name" >/dev/null; then missing+=("$name"); fi
    done
    if ((${#missing[@]} == 0)); then return 0; fi
    echo "Some tools have no engine here (${missing[*]}); to get them: apt-get install bubblewrap" \
        "tesseract-ocr poppler-utils sox libsox-fmt-base pocketsphinx pocketsphinx-en-us" >&2
}
