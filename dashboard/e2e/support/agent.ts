// The instructions of the scripted model, and the sessions that use them.
import type { Page } from "@playwright/test";
import { api } from "./people";

/** The demo's board, as agents name it. */
export const BOARD = "connector:d3300000-0000-4000-8000-00000000b0a7";

/** A line that has the agent run a command in its sandbox. */
export const bash = (command: string) => `CALL bash ${JSON.stringify({ command, description: "work" })}`;

/** A line that has the agent ask to put an issue on the demo's board, and wait for the answer. */
export function askForIssue(title: string): string {
  const params = JSON.stringify({ title });
  const command = `proliferate actions run --integration ${BOARD} --action create_issue --params '${params}' --wait 540`;
  return `CALL bash ${JSON.stringify({ command, description: title, timeout: 570_000 })}`;
}

export async function newSession(title: string, more: object = {}): Promise<string> {
  const body = { title, sessionType: "coding", ...more };
  const { sessionId } = await api<{ sessionId: string }>("POST", "/proliferate/sessions", body);
  return sessionId;
}

export const tell = (id: string, content: string) => api("POST", `/proliferate/${id}/message`, { content });

/** Says it in the page. */
export async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel("Message to the agent").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
}
