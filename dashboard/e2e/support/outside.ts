// What is outside of the gateway, at the one address it may ask: a test stands there and answers.
import { createServer, type IncomingMessage, type Server } from "node:http";
import { dev } from "./people";

export type Asked = { path: string; headers: IncomingMessage["headers"]; body: string };
/** A status alone, or a value as JSON. */
export type Reply = number | { json: unknown };

export class Outside {
  #server: Server;

  constructor(answer: (asked: Asked) => Reply) {
    this.#server = createServer(async (request, response) => {
      let body = "";
      for await (const piece of request) body += String(piece);
      const reply = answer({ path: request.url ?? "/", headers: request.headers, body });
      if (typeof reply === "number") return void response.writeHead(reply).end();
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(reply.json));
    });
  }

  url(path: string): string {
    return `http://${dev().outside}${path}`;
  }

  async open(): Promise<this> {
    const { hostname, port } = new URL(this.url("/"));
    await new Promise<void>((done) => this.#server.listen(Number(port), hostname, done));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

export type ToolDefinition = {
  name: string;
  description: string;
  inputSchema: object;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
};

/** An MCP server: it offers the given tools, and does nothing. */
export function toolServer(tools: () => ToolDefinition[]): (asked: Asked) => Reply {
  return ({ body }) => {
    const { id, method, params } = JSON.parse(body || "{}");
    if (id === undefined) return 202;
    const result = (value: unknown) => ({ json: { jsonrpc: "2.0", id, result: value } });
    switch (method) {
      case "initialize":
        return result({
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "outside", version: "1" },
        });
      case "tools/list":
        return result({ tools: tools() });
      default:
        return { json: { jsonrpc: "2.0", id, error: { code: -32_601, message: "unknown" } } };
    }
  };
}
