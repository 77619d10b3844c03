// The code of a link that was mailed or handed over. It is behind a `#`, which browsers do not send to servers.

export const linkCode = ({ hash, search }: { hash: string; search: string }): string | null =>
  new URLSearchParams(hash.replace(/^#/, "")).get("code") ?? new URLSearchParams(search).get("code");
