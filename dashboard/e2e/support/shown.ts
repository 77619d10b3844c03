// What pages show in tables, and what they show once.
import { expect, type Page } from "@playwright/test";

export const row = (page: Page, table: string, text: string | RegExp) =>
  page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });

/** A secret out of the dialog that shows it. */
export async function shownOnce(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog).toContainText("it is shown only once");
  return (await dialog.getByRole("region", { name: title }).textContent()) ?? "";
}
