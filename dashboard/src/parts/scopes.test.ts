import { describe, expect, it } from "vitest";
import { type KINDS, overriddenBy } from "./scopes";

const secret = (key: string, kind: (typeof KINDS)[number], id = "x") => ({
  id: `${key}-${kind}-${id}`,
  key,
  scope: kind === "organization" ? { kind } : { kind, id },
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
});

describe("a secret", () => {
  const all = [
    secret("KEY", "session"),
    secret("KEY", "configuration"),
    secret("KEY", "organization"),
    secret("KEY", "repo"),
    secret("OTHER", "session"),
  ];

  it("is overridden by the narrower ones of its name, the widest of them first", () => {
    const [session, configuration, organization, repo] = all as [
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
    ];
    expect(overriddenBy(organization, all)).toEqual([repo, configuration, session]);
    expect(overriddenBy(configuration, all)).toEqual([session]);
    expect(overriddenBy(session, all)).toEqual([]);
  });

  it("is not overridden by one of the same width", () => {
    const one = secret("KEY", "repo", "a");
    expect(overriddenBy(one, [one, secret("KEY", "repo", "b")])).toEqual([]);
  });
});
