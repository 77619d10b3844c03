/** Does something at once, and again only after a while, however often it is asked for; for each thing by itself. */
export class Pace<T> {
  #act: (thing: T) => void;
  #ms: number;
  /** What was done lately, and whether it was asked for since. */
  #lately = new Map<string, { timer: ReturnType<typeof setTimeout>; again: boolean }>();

  constructor(ms: number, act: (thing: T) => void) {
    this.#ms = ms;
    this.#act = act;
  }

  note(thing: T): void {
    const name = JSON.stringify(thing);
    const lately = this.#lately.get(name);
    if (lately) {
      lately.again = true;
      return;
    }
    const timer = setTimeout(() => {
      const again = this.#lately.get(name)?.again;
      this.#lately.delete(name);
      if (again) this.note(thing);
    }, this.#ms);
    this.#lately.set(name, { timer, again: false });
    this.#act(thing);
  }

  end(): void {
    for (const { timer } of this.#lately.values()) clearTimeout(timer);
    this.#lately.clear();
  }
}
