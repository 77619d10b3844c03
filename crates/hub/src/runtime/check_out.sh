# Puts a repository where it belongs: $1 the folder, $2 its address or nothing, $3 a branch or nothing.
# Codes beyond 1 are no failures: what is in the folder is a user's work, and stays.
set -u
mkdir -p "$1" || exit 1
if test -e "$1/.git"; then
    test -n "$2" || exit 0
    test "$(git -C "$1" config --get remote.origin.url)" = "$2" || exit 4
    git -C "$1" fetch --quiet origin || exit 5
    exit 0
fi
test -z "$(ls -A "$1")" || exit 6
if test -z "$2"; then
    git init --quiet "$1" || exit 1
    exit 0
fi
git clone --quiet -- "$2" "$1" || exit 1
# One without a commit has no branches.
test -n "$3" && git -C "$1" rev-parse --quiet --verify HEAD >/dev/null || exit 0
test "$(git -C "$1" symbolic-ref --quiet --short HEAD)" = "$3" && exit 0
git -C "$1" switch --quiet -- "$3" 2>/dev/null || exit 7
