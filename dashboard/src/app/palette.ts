const EVENT = "proliferate:palette";

export const openPalette = (): void => void window.dispatchEvent(new Event(EVENT));

export function onPalette(told: () => void): () => void {
  window.addEventListener(EVENT, told);
  return () => window.removeEventListener(EVENT, told);
}
