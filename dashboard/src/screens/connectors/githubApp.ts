// An installation of a GitHub App as its form has it, and as the API does.
import { z } from "zod";
import type { Schemas } from "@/api/client";

const KEY = /^-----BEGIN (RSA )?PRIVATE KEY-----\s[\s\S]+\s-----END (RSA )?PRIVATE KEY-----$/;
/** A key has some 3,000 characters; what is much longer is another file. */
const KEY_LENGTH_MAX = 20_000;

export const shape = z.object({
  appId: z.string().trim().min(1, "The app's page has it.").max(100, "At most 100 characters."),
  installationId: z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,15}$/, "The number at the end of the installation's address."),
  privateKey: z
    .string()
    .trim()
    .max(KEY_LENGTH_MAX, "This is no private key: it is too long.")
    .regex(KEY, "The whole file: from BEGIN PRIVATE KEY to END PRIVATE KEY."),
  displayName: z.string().trim().max(100, "At most 100 characters."),
});
export type Values = z.infer<typeof shape>;

export const EMPTY: Values = { appId: "", installationId: "", privateKey: "", displayName: "" };

export const toRequest = (values: Values): Schemas["CreateIntegrationRequest"] => ({
  integrationId: "github",
  displayName: values.displayName || null,
  githubApp: {
    appId: values.appId,
    installationId: Number(values.installationId),
    privateKey: values.privateKey,
  },
});
