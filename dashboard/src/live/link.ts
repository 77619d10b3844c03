// The connection to a session: comes back by itself, from the last event that was seen.
import type { ClientMessage, Frame } from "@/api/live";
import { Problem } from "@/api/problem";
import { authorize, SOCKET_PROTOCOLS } from "@/api/session";

export type LinkState = "connecting" | "open" | "waiting" | "refused";

const PAUSES_MS = [300, 1_000, 2_000, 5_000, 10_000, 30_000];
/** Asks for a sign of life this often, and waits for one this long. */
const PING_MS = 20_000;
const SILENCE_MS = 10_000;

type Told = {
  frame: (frame: Frame) => void;
  state: (state: LinkState, problem?: Problem) => void;
  /** The last event that was seen. */
  seen: () => number | null;
};

export class Link {
  #id: string;
  #told: Told;
  #socket: WebSocket | null = null;
  #tries = 0;
  #over = false;
  #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(id: string, told: Told) {
    this.#id = id;
    this.#told = told;
    window.addEventListener("online", this.#hurry);
    window.addEventListener("offline", this.#doubt);
    this.#connect();
  }

  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#over = true;
    window.removeEventListener("online", this.#hurry);
    window.removeEventListener("offline", this.#doubt);
    this.#clear();
    this.#socket?.close();
  }

  #connect(): void {
    this.#told.state("connecting");
    const seen = this.#told.seen();
    const address = new URL(`/proliferate/${this.#id}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    if (seen !== null) address.searchParams.set("after", String(seen));
    const socket = new WebSocket(address, SOCKET_PROTOCOLS);
    this.#socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.#told.state("open");
      this.send({ type: "get_status" });
      this.#listenForLife();
    };
    socket.onmessage = ({ data }) => {
      this.#tries = 0;
      this.#listenForLife();
      this.#told.frame(JSON.parse(String(data)) as Frame);
    };
    socket.onclose = () => {
      if (this.#socket !== socket || this.#over) return;
      this.#clear();
      void this.#broke(wasOpen);
    };
  }

  /** A browser is not told why a connection was refused; a plain request is. */
  async #broke(wasOpen: boolean): Promise<void> {
    this.#told.state("waiting");
    if (!wasOpen) {
      const problem = await this.#ask();
      if (this.#over) return;
      if (problem) return this.#told.state("refused", problem);
    }
    const pause = PAUSES_MS[Math.min(this.#tries, PAUSES_MS.length - 1)] ?? 0;
    this.#tries += 1;
    this.#timers.push(setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2)));
  }

  async #ask(): Promise<Problem | null> {
    const headers = new Headers();
    authorize(headers, "GET");
    const answer = await fetch(`/proliferate/${this.#id}`, { headers }).catch(() => null);
    const isFinal = answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
    return isFinal ? Problem.ofResponse(answer) : null;
  }

  #listenForLife(): void {
    this.#clear();
    this.#timers.push(setTimeout(this.#doubt, PING_MS));
  }

  /** It may be gone without saying so: ask. */
  #doubt = (): void => {
    if (!this.send({ type: "ping" })) return;
    this.#clear();
    const socket = this.#socket;
    this.#timers.push(
      setTimeout(() => {
        if (this.#socket !== socket || this.#over) return;
        // A clean close waits for the server, which does not respond.
        this.#socket = null;
        socket?.close();
        void this.#broke(true);
      }, SILENCE_MS),
    );
  };

  #hurry = (): void => {
    if (this.#socket?.readyState === WebSocket.OPEN || this.#over) return this.#doubt();
    this.#clear();
    this.#tries = 0;
    this.#connect();
  };

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}
