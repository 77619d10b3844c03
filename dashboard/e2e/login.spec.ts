// Ways in and out.
import { dev, expect, pages, test } from "./support/people";

test("the printed link lets a browser in once, and signing out lets it go", async ({ page }) => {
  await page.goto(dev().link);
  await expect(page.getByRole("heading", { name: "Sessions", exact: true })).toBeVisible();
  const kept = await page.evaluate(
    () => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }),
  );
  expect(kept).toBe("{}");

  await page.getByRole("button", { name: /owner/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to Proliferate" })).toBeVisible();
  await page.goto(`${pages()}/grants?tab=requests`);
  await expect(page.getByRole("heading", { name: "Sign in to Proliferate" })).toBeVisible();

  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Paste a token or an API key.")).toBeVisible();
  await page.getByLabel("Token or API key").fill("no such token");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("request");
  await page.getByLabel("Token or API key").fill(dev().member);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("tab", { name: /Requests from agents/, selected: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "New grant" })).toHaveCount(0);

  await page.goto(dev().link);
  await expect(page.getByText("This link is not valid").first()).toBeVisible();
});

test("a user of the organization's identity provider logs in, and gets the requested page", async ({
  page,
}) => {
  await page.goto(`${pages()}/approvals`);
  await page.getByRole("button", { name: "Sign in with your organization's account" }).click();
  await page.getByRole("link", { name: "Ada of Acme" }).click();
  await expect(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
  await expect(page.getByRole("button", { name: /Ada.*member/ })).toBeVisible();
});

test("staff sign in with their own provider, whose groups decide the role, and sign out of it", async ({
  page,
  open,
}) => {
  await page.goto(`${pages()}/login`);
  await page.getByRole("button", { name: "Sign in with Acme staff" }).click();
  await page.getByRole("link", { name: "Grace of Staff" }).click();
  await page.getByRole("button", { name: /Grace.*admin/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Signed out: grace" })).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("heading", { name: "Sign in to Proliferate" })).toBeVisible();

  const owner = await open("owner");
  await owner.goto("/settings?tab=members");
  await expect(owner.getByRole("row", { name: /Grace/ })).toContainText("Role managed by Acme staff");
  await expect(owner.getByRole("combobox", { name: "Role of Grace" })).toBeDisabled();
});

test("an account that has no place here is refused with what to do", async ({ page }) => {
  await page.goto(`${pages()}/login`);
  await page.getByRole("button", { name: "Sign in with Acme staff" }).click();
  await page.getByRole("link", { name: "Eve of Nowhere" }).click();
  await expect(page.getByRole("heading", { name: "No organization for your address" })).toBeVisible();
  await expect(page.getByText("ask one of its admins for an invitation")).toBeVisible();
});
