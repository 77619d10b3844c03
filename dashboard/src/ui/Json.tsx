import { CodeBlock } from "./CodeBlock";

/** A value as the API has it. */
export function Json({ value, label = "Value" }: { value: unknown; label?: string }) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? "nothing"} label={label} />;
}
