const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

/** A code as the terminal shows it, from what a person typed; null if that is none. */
export function letters(typed: string): string | null {
  const plain = typed.replace(/[\s-]/g, "").toUpperCase();
  return CODE.test(plain) ? `${plain.slice(0, 4)}-${plain.slice(4)}` : null;
}
