// A long session: how soon it is there, and how smoothly it scrolls. The numbers are reported, not judged: a machine that
// does something else meanwhile must not fail a test. What is judged is that only what is in sight is drawn.
import { writeFile } from "node:fs/promises";
import type { LiveMessage, MessagePart } from "../src/api/live";
import { newSession } from "./support/agent";
import { expect, test } from "./support/people";

const EVENTS = 10_000;
const ROWS_MAX = 80;

function message(at: number): LiveMessage {
  const id = `m${String(at).padStart(6, "0")}`;
  if (at % 4 === 0) return { id, role: "user", content: `Question ${at}`, isComplete: true, createdAt: at };
  const text: MessagePart = {
    type: "text",
    text: `Answer **${at}**, with \`code\` and ${"words ".repeat(at % 40)}`,
  };
  const tool: MessagePart = {
    type: "tool",
    toolCallId: `c${at}`,
    toolName: "bash",
    args: { command: `echo ${at}` },
    status: "completed",
    result: String(at),
  };
  return {
    id,
    role: "assistant",
    content: "",
    isComplete: true,
    createdAt: at,
    parts: [at % 2 ? text : tool],
  };
}

test("a session with ten thousand events opens and scrolls", async ({ open }) => {
  const id = await newSession("A long one");
  const page = await open("owner");
  const messages = Array.from({ length: EVENTS }, (_, at) => message(at));
  const init = JSON.stringify({ type: "init", payload: { messages, seq: EVENTS, status: "paused" } });
  await page.routeWebSocket(`**/proliferate/${id}*`, (socket) => socket.send(init));
  const begun = Date.now();
  await page.goto(`/sessions/${id}`);
  await expect(page.getByText(`Answer ${EVENTS - 1}`)).toBeVisible();
  const openMs = Date.now() - begun;
  const log = page.getByRole("log", { name: "Transcript" });
  expect(await log.locator("[data-index]").count()).toBeLessThan(ROWS_MAX);

  const frames = await log.evaluate(async (list) => {
    const took: number[] = [];
    let last = await new Promise<number>(requestAnimationFrame);
    for (let frame = 0; frame < 120; frame += 1) {
      list.scrollTop -= 400;
      const now = await new Promise<number>(requestAnimationFrame);
      took.push(now - last);
      last = now;
    }
    return took.sort((a, b) => a - b);
  });
  await expect(page.getByRole("button", { name: "To the end" })).toBeVisible();
  expect(await log.locator("[data-index]").count()).toBeLessThan(ROWS_MAX);
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.getByText(`Answer ${EVENTS - 1}`)).toBeVisible();

  const report = { events: EVENTS, openMs, frameMsMedian: frames[60], frameMs95: frames[113] };
  await writeFile("e2e/output/speed.json", `${JSON.stringify(report)}\n`);
  test.info().annotations.push({ type: "speed", description: JSON.stringify(report) });
});
