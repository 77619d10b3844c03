import type { Schemas } from "@/api/client";

export const EVENTS: { value: Schemas["WebhookEvent"]; words: string }[] = [
  { value: "action_approval_request", words: "A call waits for a decision" },
  { value: "action_approval_result", words: "A call was decided" },
  { value: "action_completed", words: "A call is over" },
  { value: "spend_notice", words: "Spending on models comes near a limit" },
];
export const eventWords = (event: string): string =>
  EVENTS.find(({ value }) => value === event)?.words ?? event;
