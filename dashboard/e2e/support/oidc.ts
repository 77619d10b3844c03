// An identity provider on this machine: any provider of OpenID Connect, as far as a gateway sees it.
import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export const CLIENT = { id: "e2e-gateway", secret: "e2e-hush" };
const KEY_ID = "e2e";

/** Who has an account there. */
const PEOPLE = {
  "Ada of Acme": { sub: "ada", email: "ada@acme.example", name: "Ada", groups: [] },
  "Grace of Staff": { sub: "grace", email: "grace@staff.example", name: "Grace", groups: ["/admins"] },
  "Eve of Nowhere": { sub: "eve", email: "eve@nowhere.example", name: "Eve", groups: [] },
};
type Name = keyof typeof PEOPLE;
type Given = { nonce: string; challenge: string; client: string; name: Name };

export class Oidc {
  url = "";
  #server: Server;
  #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  #codes = new Map<string, Given>();

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    const address = this.#server.address();
    if (typeof address === "object" && address) this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(request.url ?? "/", this.url);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(value));
    };
    switch (asked.pathname) {
      case "/.well-known/openid-configuration":
        return json(this.#described());
      case "/keys": {
        const key = this.#keys.publicKey.export({ format: "jwk" });
        return json({ keys: [{ ...key, kid: KEY_ID, use: "sig", alg: "RS256" }] });
      }
      case "/authorize":
        response.writeHead(200, { "Content-Type": "text/html" });
        return void response.end(
          `<h1>Who are you?</h1>${(Object.keys(PEOPLE) as Name[])
            .map((name) => `<p><a href="${this.#onward(asked, name)}">${name}</a></p>`)
            .join("")}`,
        );
      case "/end": {
        const back = asked.searchParams.get("post_logout_redirect_uri") ?? "";
        const hint = asked.searchParams.get("id_token_hint")?.split(".")[1] ?? "";
        const { sub } = JSON.parse(Buffer.from(hint, "base64url").toString()) as { sub: string };
        response.writeHead(200, { "Content-Type": "text/html" });
        return void response.end(`<h1>Signed out: ${sub}</h1><a href="${back}">Back</a>`);
      }
      case "/token": {
        const form = new URLSearchParams(await read(request));
        const given = this.#codes.get(form.get("code") ?? "");
        this.#codes.delete(form.get("code") ?? "");
        const proof = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        if (!given || proof !== given.challenge) return json({ error: "invalid_grant" }, 400);
        const access = randomUUID();
        return json({ access_token: access, token_type: "Bearer", id_token: this.#word(given) });
      }
      default:
        return json({ error: "not found" }, 404);
    }
  }

  #described() {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      end_session_endpoint: `${this.url}/end`,
      jwks_uri: `${this.url}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }

  /** The authorization page. */
  #onward(asked: URL, name: Name): string {
    const code = randomUUID();
    const of = (name: string) => asked.searchParams.get(name) ?? "";
    this.#codes.set(code, {
      nonce: of("nonce"),
      challenge: of("code_challenge"),
      client: of("client_id"),
      name,
    });
    const back = new URL(of("redirect_uri"));
    back.searchParams.set("code", code);
    back.searchParams.set("state", of("state"));
    return back.href.replaceAll("&", "&amp;");
  }

  #word({ nonce, client, name }: Given): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...PEOPLE[name],
      iss: this.url,
      aud: client,
      email_verified: true,
      nonce,
      iat: now,
      exp: now + 300,
    };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const signed = `${part({ alg: "RS256", kid: KEY_ID, typ: "JWT" })}.${part(claims)}`;
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(this.#keys.privateKey, "base64url")}`;
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}
