// Who is signed in. The browser holds an HttpOnly cookie; nothing here can read it, and nothing else in the dashboard
// knows how requests are authorized.
import { Problem } from "./problem";
import type { components } from "./schema";

/** What a WebSocket offers; the cookie says who opens it. */
export const SOCKET_PROTOCOLS = ["proliferate.v1"];

/** A request of the gateway's own pages: one of another page cannot carry this. */
const CSRF: [string, string] = ["X-Proliferate-Csrf", "1"];

export function authorize(headers: Headers, method: string): void {
  if (method !== "GET" && method !== "HEAD") headers.set(...CSRF);
}

/** By a token, an API key or a one-time code. */
export async function signIn(token: string): Promise<void> {
  signsOut = false;
  const headers = new Headers([["Content-Type", "application/json"], CSRF]);
  const body = JSON.stringify({ token });
  const response = await fetch("/v1/login", { method: "POST", headers, body }).catch((cause) => {
    throw Problem.from(cause);
  });
  if (!response.ok) throw await Problem.ofResponse(response);
}

let signsOut = false;

/** Whether this page is being left by a sign-out: a refused request leads nowhere else then. */
export const isSigningOut = (): boolean => signsOut;

/** Returns where the identity provider ends its session, for a login by one that can. */
export async function signOut(): Promise<string | null> {
  signsOut = true;
  try {
    return await endLogin();
  } catch (problem) {
    signsOut = false;
    throw problem;
  }
}

async function endLogin(): Promise<string | null> {
  const response = await fetch("/v1/logout", { method: "POST", headers: [CSRF] }).catch((cause) => {
    throw Problem.from(cause);
  });
  if (!response.ok) throw await Problem.ofResponse(response);
  if (response.status !== 200) return null;
  const { endSessionUrl } = (await response.json()) as components["schemas"]["LogoutResponse"];
  return endSessionUrl;
}
