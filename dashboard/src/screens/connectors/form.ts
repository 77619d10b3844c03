// A connector as its form has it, and as the API does.
import { z } from "zod";
import type { Schemas } from "@/api/client";
import type { Connector, Preset } from "./queries";

export const shape = z
  .object({
    name: z.string().trim().min(1, "Give it a name.").max(100, "At most 100 characters."),
    url: z.url({ protocol: /^https?$/, error: "An address that begins with https://." }),
    auth: z.enum(["none", "bearer", "custom_header"]),
    secretKey: z.string(),
    headerName: z.string(),
    defaultRisk: z.enum(["", "read", "write", "danger"]),
    trusted: z.boolean(),
    enabled: z.boolean(),
  })
  .check(({ value, issues }) => {
    const need = (path: "secretKey" | "headerName", message: string) =>
      issues.push({ code: "custom", input: value[path], path: [path], message });
    if (value.auth !== "none" && !value.secretKey) need("secretKey", "Choose the secret that is sent.");
    if (value.auth === "custom_header" && !value.headerName) need("headerName", "Name the header.");
  });
export type Values = z.infer<typeof shape>;

export const EMPTY: Values = {
  name: "",
  url: "",
  auth: "none",
  secretKey: "",
  headerName: "",
  defaultRisk: "",
  trusted: false,
  enabled: true,
};

function authValues(auth: Schemas["ConnectorAuth"]): Pick<Values, "auth" | "secretKey" | "headerName"> {
  return {
    auth: auth.type,
    secretKey: auth.type === "none" ? "" : auth.secretKey,
    headerName: auth.type === "custom_header" ? auth.headerName : "",
  };
}

export const ofPreset = ({ name, url, auth, defaultRisk, preset }: Preset): Values => ({
  ...EMPTY,
  ...authValues(auth),
  name: preset === "custom" ? "" : name,
  url: url ?? "",
  defaultRisk: defaultRisk ?? "",
});

export const ofConnector = ({ name, url, auth, riskPolicy, trusted, enabled }: Connector): Values => ({
  ...authValues(auth),
  name,
  url,
  defaultRisk: riskPolicy.defaultRisk ?? "",
  trusted,
  enabled,
});

function toAuth({ auth, secretKey, headerName }: Values): Schemas["ConnectorAuth"] {
  if (auth === "bearer") return { type: auth, secretKey };
  if (auth === "custom_header") return { type: auth, secretKey, headerName };
  return { type: "none" };
}

/** `overrides` of single tools are kept as they are. */
export function toRequest(values: Values, overrides?: Schemas["RiskPolicy"]["overrides"]) {
  const { name, url, defaultRisk, trusted, enabled } = values;
  return {
    name,
    url,
    auth: toAuth(values),
    riskPolicy: { ...(defaultRisk ? { defaultRisk } : {}), ...(overrides ? { overrides } : {}) },
    trusted,
    enabled,
  };
}

/** Where in the form a diagnosis belongs. */
export const FIELD_OF: Record<Schemas["DiagnosticClass"], "url" | "secretKey" | null> = {
  auth: "secretKey",
  unreachable: "url",
  protocol: "url",
  timeout: "url",
  unknown: null,
};
/** What to do about it, in words. */
export const HELP: Record<Schemas["DiagnosticClass"], string> = {
  auth: "Look at the secret and at how it is sent: the server refuses it.",
  unreachable: "Look at the address: nothing answers there, or it may not be asked.",
  protocol: "Check the address: the server there does not speak the Model Context Protocol.",
  timeout: "The server takes too long. Try again, or ask its operator.",
  unknown: "Try again; if it stays, ask the server's operator.",
};
