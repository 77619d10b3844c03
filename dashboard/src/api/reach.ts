// Whether the gateway answers. The browser's own idea of being online says nothing of a gateway on this machine.
let answers = true;
const listeners = new Set<() => void>();

export const gatewayAnswers = (): boolean => answers;

export function noteReach(now: boolean): void {
  if (now === answers) return;
  answers = now;
  for (const listener of listeners) listener();
}

export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
