// A network that can be cut: a proxy between browser and gateway.
import { connect, createServer, type Server, type Socket } from "node:net";

export class Gate {
  url = "";
  #server: Server;
  #sockets = new Set<Socket>();
  #isCut = false;

  constructor(target: URL) {
    this.#server = createServer((near) => {
      if (this.#isCut) return near.destroy();
      const far = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on("error", () => other.destroy());
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    const address = this.#server.address();
    if (typeof address === "object" && address) this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((done) => this.#server.close(done));
  }
}
