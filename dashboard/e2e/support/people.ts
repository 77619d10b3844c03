// Who the tests act as, in a browser and over the API.
import { type BrowserContextOptions, test as base, type Page } from "@playwright/test";

export type Role = "owner" | "admin" | "member";
/** What `proliferate dev` said of itself, the one address outside that it may ask, and where its policy is. */
type Dev = Record<Role | "url" | "link" | "outside" | "policyDirectory", string>;

export const dev = (): Dev => JSON.parse(process.env.E2E_GATEWAY ?? "{}") as Dev;
/** Where the pages are; the gateway's own unless a developer works on them. */
export const pages = (): string => process.env.E2E_PAGES_URL ?? dev().url;

type Open = (role: Role, options?: BrowserContextOptions & { at?: string }) => Promise<Page>;

/** `open` signs a user in, in a browser of their own, through the login page. */
export const test = base.extend<{ open: Open }>({
  open: async ({ browser }, use) => {
    const contexts: { close: () => Promise<void> }[] = [];
    await use(async (role, { at = pages(), ...options } = {}) => {
      const context = await browser.newContext({ baseURL: at, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto("/login");
      await page.getByLabel("Token or API key").fill(dev()[role]);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
      return page;
    });
    for (const context of contexts) await context.close();
  },
});
export { expect } from "@playwright/test";

/** The API as the owner. */
export async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(dev().url + path, {
    method,
    headers: { Authorization: `Bearer ${dev().owner}`, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}
