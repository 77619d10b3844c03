// A configuration as its form has it, and as the API does.
import { z } from "zod";
import type { Schemas } from "@/api/client";
import { dollarsTyped, microUsd, typed } from "@/lib/money";
import type { Configuration } from "./queries";

const relative = z
  .string()
  .trim()
  .max(500, "At most 500 characters.")
  .refine((path) => !path.startsWith("/") && !path.split("/").includes(".."), "A path below the workspace.");

export const shape = z.object({
  name: z.string().trim().min(1, "Give it a name.").max(100, "At most 100 characters."),
  notes: z.string().max(10_000, "Shorter, please."),
  repoIds: z.array(z.string()).max(20, "At most 20 repositories."),
  services: z
    .array(
      z.object({
        name: z.string().trim().min(1, "Name the service.").max(100, "At most 100 characters."),
        command: z.string().trim().min(1, "Give the command.").max(1_000, "At most 1,000 characters."),
        cwd: relative,
      }),
    )
    .max(10, "At most 10 services."),
  envFiles: z
    .array(
      z.object({
        workspacePath: relative.refine((path) => path !== "", "The repository's folder; . for the first."),
        path: relative.refine((path) => path !== "", "Name the file."),
        required: z.string(),
        optional: z.string(),
      }),
    )
    .max(10, "At most 10 files."),
  budget: dollarsTyped,
});
export type Values = z.infer<typeof shape>;

export const EMPTY: Values = { name: "", notes: "", repoIds: [], services: [], envFiles: [], budget: "" };

/** Names separated by spaces, commas or lines. */
const words = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

export function ofConfiguration(configuration: Configuration): Values {
  const { name, notes, repos, serviceCommands, envFiles, budgetMicroUsd } = configuration;
  return {
    name,
    notes: notes ?? "",
    budget: typed(budgetMicroUsd),
    repoIds: repos.map(({ repoId }) => repoId),
    services: serviceCommands.map((each) => ({
      name: each.name,
      command: each.command,
      cwd: each.cwd ?? "",
    })),
    envFiles: envFiles.map(({ workspacePath, path, keys }) => ({
      workspacePath: workspacePath ?? ".",
      path,
      required: keys.flatMap(({ key, required }) => (required ? key : [])).join(" "),
      optional: keys.flatMap(({ key, required }) => (required ? [] : key)).join(" "),
    })),
  };
}

/** `before` is what the API had: members of a service that the form does not show stay as they are. */
export function toRequest(values: Values, before?: Configuration): Schemas["CreateConfigurationRequest"] {
  return {
    name: values.name,
    notes: values.notes.trim() || null,
    budgetMicroUsd: microUsd(values.budget),
    repoIds: values.repoIds,
    serviceCommands: values.services.map(({ name, command, cwd }) => ({
      ...before?.serviceCommands.find((each) => each.name === name),
      name,
      command,
      cwd: cwd || null,
    })),
    envFiles: values.envFiles.map(({ workspacePath, path, required, optional }) => ({
      workspacePath,
      path,
      mode: "secret",
      keys: [
        ...words(required).map((key) => ({ key, required: true })),
        ...words(optional)
          .filter((key) => !words(required).includes(key))
          .map((key) => ({ key, required: false })),
      ],
    })),
  };
}
