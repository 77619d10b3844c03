// The reference of the API at `/docs`.
import { expect, pages, test } from "./support/people";

test("the reference of the API is drawn and searched, under the content security policy", async ({
  page,
}) => {
  const forbidden: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) forbidden.push(message.text());
  });
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${pages()}/`) && !url.startsWith("data:")) elsewhere.push(url);
  });
  const response = await page.goto(`${pages()}/docs`);
  expect(response?.headers()["content-security-policy"]).toContain("default-src 'none'");
  expect(response?.headers()["content-security-policy"]).not.toContain("unsafe");
  await expect(page.getByRole("heading", { name: /^Proliferate/, level: 1 })).toBeVisible();
  const creation = page.getByRole("button", { name: "POST /proliferate/sessions Create a session." });
  await expect(creation).toBeVisible();
  await page.screenshot({ path: "e2e/output/screens/reference-light.png" });

  await page.getByPlaceholder("Filter by tag or path").fill("/v1/secrets");
  await expect(creation).toHaveCount(0);
  await page.getByRole("button", { name: /GET .v1.secrets/ }).click();
  await expect(page.getByRole("cell", { name: /Only secrets of this scope/ })).toBeVisible();
  await expect(page).toHaveURL(/#\/secrets\/secret_list$/);
  // It is for reading: nothing takes a token or sends a call.
  await expect(page.getByRole("button", { name: /Authorize|Try it out|Execute/ })).toHaveCount(0);

  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveClass(/dark-mode/);
  await page.screenshot({ path: "e2e/output/screens/reference-dark.png" });
  expect(forbidden).toEqual([]);
  expect(elsewhere).toEqual([]);
});
