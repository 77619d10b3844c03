import { expect, it } from "vitest";
import { narrowed, writeOf } from "./search";

const lane = (id: string, tools: string[]) => ({
  id,
  purpose: "To do something.",
  roles: ["CASE_AGENT"],
  tools,
  writes: [],
  requires: [],
  prohibits: [],
  approvalSecondsMax: 300,
});

it("finds a lane by what is in it", () => {
  const lanes = [lane("TOOL_DOCUMENT_INTAKE", ["ocr.extract"]), lane("ACTION_READ", ["action.read"])];
  expect(narrowed(lanes, " OCR ").map(({ id }) => id)).toEqual(["TOOL_DOCUMENT_INTAKE"]);
  expect(narrowed(lanes, "case_agent")).toHaveLength(2);
  expect(narrowed(lanes, "")).toBe(lanes);
  expect(narrowed(lanes, "zzz")).toEqual([]);
});

it("reads what a lane may write to", () => {
  expect(writeOf("case_notes (append)")).toEqual({ table: "case_notes", mode: "append" });
  expect(writeOf("case_notes")).toBeUndefined();
});
