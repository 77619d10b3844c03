import { describe, expect, it } from "vitest";
import { EMPTY, ofConfiguration, shape, toRequest } from "./form";

const configuration = {
  id: "c",
  organizationId: "org",
  name: "Shop",
  type: "manual" as const,
  status: "ready" as const,
  notes: null,
  repos: [{ repoId: "r1", workspacePath: "." }],
  serviceCommands: [{ name: "web", command: "npm start", cwd: "web", workspacePath: "shop" }],
  envFiles: [
    {
      path: ".env",
      workspacePath: ".",
      mode: "secret" as const,
      keys: [
        { key: "STRIPE_KEY", required: true },
        { key: "SENTRY_DSN", required: false },
      ],
    },
  ],
  connectors: [],
  budgetMicroUsd: 2_500_000,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
};

describe("the form of a configuration", () => {
  it("gives back what it was given", () => {
    const { name, notes, serviceCommands, envFiles, budgetMicroUsd } = configuration;
    expect(toRequest(ofConfiguration(configuration), configuration)).toEqual({
      name,
      notes,
      repoIds: ["r1"],
      serviceCommands,
      envFiles,
      budgetMicroUsd,
    });
  });

  it("takes an empty budget for none of its own", () => {
    expect(ofConfiguration({ ...configuration, budgetMicroUsd: null }).budget).toBe("");
    expect(toRequest({ ...EMPTY, name: "x" }).budgetMicroUsd).toBe(null);
    expect(toRequest({ ...EMPTY, name: "x", budget: "0" }).budgetMicroUsd).toBe(0);
    expect(shape.safeParse({ ...EMPTY, name: "x", budget: "-1" }).success).toBe(false);
  });

  it("takes a key once, as required if it is both", () => {
    const file = { workspacePath: ".", path: ".env", required: "A, B\nA", optional: "B C" };
    const [made] = toRequest({ ...EMPTY, name: "x", envFiles: [file] }).envFiles ?? [];
    expect(made?.keys).toEqual([
      { key: "A", required: true },
      { key: "B", required: true },
      { key: "C", required: false },
    ]);
  });

  it.each(["/etc/passwd", "../up", "a/../../b"])("takes no path out of the workspace: %s", (cwd) => {
    const services = [{ name: "web", command: "true", cwd }];
    expect(shape.safeParse({ ...EMPTY, name: "x", services }).success).toBe(false);
  });
});
