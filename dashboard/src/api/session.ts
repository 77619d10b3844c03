// Who is signed in. The browser holds an HttpOnly cookie; nothing here can read it, and nothing else in the
// dashboard knows how requests are authorized.
import { Problem } from "./problem";

/** Sent with every request that changes something: a page of another origin cannot set it. */
export const CSRF_HEADER = "X-Proliferate-Csrf";

/** Until the gateway answers `/v1/login`, a token of this tab. */
const TOKEN_KEY = "proliferate.token";
const storedToken = () => sessionStorage.getItem(TOKEN_KEY);

export function authorize(headers: Headers, method: string): void {
  if (method !== "GET" && method !== "HEAD") headers.set(CSRF_HEADER, "1");
  const token = storedToken();
  if (token) headers.set("Authorization", `Bearer ${token}`);
}

/** What a WebSocket offers besides its protocol. */
export function socketProtocols(): string[] {
  const token = storedToken();
  return token ? ["proliferate.v1", `bearer.${token}`] : ["proliferate.v1"];
}

export async function signIn(token: string): Promise<void> {
  const headers = new Headers({ "Content-Type": "application/json", [CSRF_HEADER]: "1" });
  const response = await fetch("/v1/login", { method: "POST", headers, body: JSON.stringify({ token }) });
  if (response.ok) return;
  if (response.status !== 404) throw await Problem.ofResponse(response);
  const me = await fetch("/v1/me", { headers: { Authorization: `Bearer ${token}` } });
  if (!me.ok) throw await Problem.ofResponse(me);
  sessionStorage.setItem(TOKEN_KEY, token);
}

export async function signOut(): Promise<void> {
  sessionStorage.removeItem(TOKEN_KEY);
  await fetch("/v1/logout", { method: "POST", headers: { [CSRF_HEADER]: "1" } });
}
