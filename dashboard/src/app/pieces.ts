// Pieces of the app are loaded when a screen needs them. One that does not come (the network changed under the browser, or
// the gateway was replaced by one with other pieces) loads the requested page afresh; not twice in a
// row, so that a gateway without it does not make the page load for ever.
import type { router as Router } from "./router";

const KEY = "proliferate.reloaded";
const TWICE_MS = 10_000;
/** A network that changes does so several times at once. */
const SETTLE_MS = 500;

export function reloadWhenAPieceIsMissing(router: typeof Router): void {
  let isLeaving = false;
  window.addEventListener("vite:preloadError", (event) => {
    if (isLeaving) return event.preventDefault();
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < TWICE_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    isLeaving = true;
    event.preventDefault();
    const { pathname, search } = router.state.navigation.location ?? router.state.location;
    setTimeout(() => window.location.assign(`${pathname}${search}`), SETTLE_MS);
  });
}
