// What an agent asked for, as far as it can be understood: the arguments are the agent's own.
import { z } from "zod";

const suggestion = z.object({
  label: z.string(),
  value: z.string().nullish(),
  instructions: z.string().nullish(),
});
const key = z.object({
  key: z.string().min(1),
  description: z.string().nullish(),
  required: z.boolean().nullish(),
  suggestions: z.array(suggestion).nullish().catch([]),
});

export type Suggestion = z.infer<typeof suggestion>;
export type AskedKey = { key: string; description?: string; required: boolean; suggestions: Suggestion[] };

export function asked(args: Record<string, unknown>): AskedKey[] {
  const keys = Array.isArray(args.keys) ? args.keys : [];
  return keys.flatMap((each): AskedKey[] => {
    const { success, data } = key.safeParse(each);
    if (!success) return [];
    const { description, required, suggestions } = data;
    return [
      {
        key: data.key,
        description: description ?? undefined,
        required: required ?? true,
        suggestions: suggestions ?? [],
      },
    ];
  });
}
