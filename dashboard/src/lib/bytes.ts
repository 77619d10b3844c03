const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** A size with its unit: 980 B, 1.2 MB. */
export function bytes(size: number): string {
  let at = 0;
  let rest = size;
  while (rest >= 1000 && at < UNITS.length - 1) {
    rest /= 1000;
    at += 1;
  }
  return `${at === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${UNITS[at]}`;
}
