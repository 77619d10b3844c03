// Evidence beside a session: what its agent hands in is looked at, read and taken along, and is that session's alone.
import { readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { newSession, tell } from "./support/agent";
import { pictured } from "./support/looks";
import { expect, test } from "./support/people";

const FOLDER = ".proliferate/.verification";
const LOG = "3 tests passed\n0 failed\n";

const bash = (command: string) => `CALL bash ${JSON.stringify({ command, description: "work" })}`;
const transcript = (page: Page) => page.getByRole("log", { name: "Transcript" });
const evidence = (page: Page) => page.getByRole("list", { name: "Evidence" }).getByRole("listitem");

/** A picture in checks of two colours, a bit each: a big one in few bytes, since the agent is sent all of them. */
function png(width: number, height: number, colours: number[]): Buffer {
  const line = (y: number) => [
    0,
    ...Array.from({ length: width / 8 }, (_, x) => (((x >> 3) ^ (y >> 6)) & 1) * 0xff),
  ];
  const lines = Array.from({ length: height }, (_, y) => line(y)).flat();
  const number = (value: number) => [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff);
  const chunk = (type: string, data: number[]) => {
    const named = Buffer.from([...Buffer.from(type), ...data]);
    return [...number(data.length), ...named, ...number(crc32(named))];
  };
  return Buffer.from([
    ...Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...chunk("IHDR", [...number(width), ...number(height), 1, 3, 0, 0, 0]),
    ...chunk("PLTE", colours),
    ...chunk("IDAT", [...deflateSync(Buffer.from(lines))]),
    ...chunk("IEND", []),
  ]);
}

const CART = png(1_280, 720, [90, 120, 220, 54, 72, 132]);
const PHONE = png(384, 832, [60, 170, 120, 36, 102, 72]);

/** Has the agent write files and hand them in. */
function handIn(files: Record<string, Buffer>): string {
  const writes = Object.entries(files).map(([path, content]) => {
    const place = `${FOLDER}/${path}`;
    return `mkdir -p "$(dirname ${place})" && echo ${content.toString("base64")} | base64 -d > ${place}`;
  });
  return [bash(writes.join("\n")), "CALL verify {}", "SAY Handed in."].join("\n");
}

async function downloaded(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("evidence is seen small and large, read, and taken along", async ({ open }) => {
  const id = await newSession("Proof of the work");
  const page = await open("owner");
  await page.goto(`/sessions/${id}`);
  await page.getByRole("tab", { name: "Evidence" }).click();
  await expect(page.getByText("Nothing was handed in yet.")).toBeVisible();
  await tell(
    id,
    handIn({
      "cart.png": CART,
      "phone/cart.png": PHONE,
      "tests.log": Buffer.from(LOG),
      "report.html": Buffer.from("<script>document.title = 'taken over'</script>"),
      "torn.png": Buffer.from("no picture"),
    }),
  );
  await expect(transcript(page)).toContainText("[scripted] Handed in.");

  await test.step("small, with its name, size and age", async () => {
    await expect(evidence(page)).toHaveCount(5);
    const cart = evidence(page).filter({ hasText: /^cart\.png/ });
    await expect(cart).toContainText(/\d B · just now/);
    const width = () => cart.getByRole("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width).toBe(1_280);
    await expect(evidence(page).filter({ hasText: "phone/cart.png" }).getByRole("img")).toBeVisible();
    const torn = evidence(page).filter({ hasText: "torn.png" });
    await torn.scrollIntoViewIfNeeded();
    await expect(torn).toContainText("It cannot be shown as a picture.");
    expect(await pictured(page, "evidence")).toEqual([]);
  });

  await test.step("large, and taken along under its name, byte for byte", async () => {
    await page.getByRole("button", { name: "Show cart.png large" }).click();
    const dialog = page.getByRole("dialog", { name: "cart.png" });
    const box = await dialog.getByRole("img").boundingBox();
    expect(box?.width).toBeGreaterThan(600);
    expect(await pictured(page, "evidence-large")).toEqual([]);
    const taken = await downloaded(page, () => dialog.getByRole("link", { name: "Download" }).click());
    expect(taken).toEqual({ name: "cart.png", bytes: CART });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show phone/cart.png large" }).click();
    await expect(page.getByRole("dialog").getByRole("link", { name: "Download" })).toBeInViewport();
    await page.keyboard.press("Escape");
  });

  await test.step("a text is read here, and what could run is only saved", async () => {
    await page.getByRole("button", { name: "tests.log" }).click();
    await expect(page.getByRole("dialog", { name: "tests.log" })).toContainText("3 tests passed");
    expect(await pictured(page, "evidence-text")).toEqual([]);
    await page.keyboard.press("Escape");
    const link = page.getByRole("link", { name: "Download report.html" });
    const address = new URL((await link.getAttribute("href")) ?? "", page.url()).href;
    const answer = await page.request.get(address);
    expect(answer.headers()["content-disposition"]).toContain("attachment");
    const taken = await downloaded(page, () => link.click());
    expect(taken.name).toBe("report.html");
  });

  await test.step("another session has none of it, also not by its name", async () => {
    const href = (await page.getByRole("link", { name: "Download tests.log" }).getAttribute("href")) ?? "";
    const other = await newSession("Without proof");
    const answer = await page.request.get(new URL(href.replace(id, other), page.url()).href);
    expect(answer.status()).toBe(404);
    await page.goto(`/sessions/${other}`);
    await page.getByRole("tab", { name: "Evidence" }).click();
    await expect(page.getByText("Nothing was handed in yet.")).toBeVisible();
  });
});
