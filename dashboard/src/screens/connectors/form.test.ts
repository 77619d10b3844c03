import { describe, expect, it } from "vitest";
import { EMPTY, ofConnector, ofPreset, shape, toRequest } from "./form";

const connector = {
  id: "d3300000-0000-4000-8000-00000000b0a7",
  integration: "connector:d3300000-0000-4000-8000-00000000b0a7",
  name: "Docs",
  transport: "remote_http" as const,
  url: "https://docs.example/mcp",
  auth: { type: "custom_header" as const, secretKey: "DOCS_KEY", headerName: "X-Api-Key" },
  riskPolicy: { defaultRisk: "read" as const, overrides: { wipe: "danger" as const } },
  trusted: true,
  enabled: false,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
};

describe("the form of a connector", () => {
  it("gives back what it was given", () => {
    const { name, url, auth, riskPolicy, trusted, enabled } = connector;
    expect(toRequest(ofConnector(connector), riskPolicy.overrides)).toEqual({
      name,
      url,
      auth,
      riskPolicy,
      trusted,
      enabled,
    });
  });

  it("begins with what a preset knows", () => {
    const preset = { preset: "custom", name: "Custom", url: null, auth: { type: "none" as const } };
    expect(ofPreset(preset)).toEqual(EMPTY);
  });

  it.each([
    [{ name: "" }, "name"],
    [{ url: "docs.example" }, "url"],
    [{ auth: "bearer" as const }, "secretKey"],
    [{ auth: "custom_header" as const, secretKey: "KEY" }, "headerName"],
  ])("asks for what is missing: %o", (change, field) => {
    const asked = shape.safeParse({ ...EMPTY, name: "Docs", url: "https://docs.example/mcp", ...change });
    expect(asked.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});
