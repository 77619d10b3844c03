# shellcheck shell=bash
# The dashboard: built by npm into dashboard/dist, where the gateway takes it from. Sourced by ./run and ./test after
# packages.sh.

dashboard_folder=$(dirname "${BASH_SOURCE[0]}")/../dashboard

# What Vite asks for; Debian's own may be older.
dashboard_has_node() {
    command -v npm && command -v node &&
        node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
}

# `npm ci` does not take the lock file, for the reason that install_agent has.
dashboard_packages() { node_folder "$dashboard_folder" install --no-save; }

# Builds it, unless it was built since anything it is made of changed.
dashboard_build() {
    local index=$dashboard_folder/dist/index.html
    if [[ -e $index && -z $(dashboard_newer_than "$index") ]]; then return 0; fi
    npm run --silent --prefix "$dashboard_folder" build
}

dashboard_newer_than() {
    find "$dashboard_folder"/{src,public,scripts,index.html,docs.html,package-lock.json,vite.config.ts} \
        "$dashboard_folder/../docs/reference/sources.json" -type f -newer "$1" -print -quit
}
