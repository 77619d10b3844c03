// What a transcript is made of.
import type { LiveMessage, MessageSource, ToolCallStatus, ToolSummary } from "@/api/live";

export type Entry =
  | {
      kind: "user";
      id: string;
      text: string;
      images: string[];
      at: number;
      senderId?: string;
      source?: MessageSource;
    }
  | { kind: "text" | "thinking"; id: string; messageId: string; text: string; streaming: boolean }
  | ToolEntry
  | {
      kind: "note";
      id: string;
      tone: "neutral" | "good" | "bad";
      text: string;
      /** Whose doing it was, and what they said. */
      by?: string;
      why?: string;
    };

export type ToolEntry = {
  kind: "tool";
  id: string;
  messageId?: string;
  tool: string;
  args: Record<string, unknown>;
  status: ToolCallStatus;
  result?: string;
  durationMs?: number;
  isCut?: boolean;
  title?: string;
  steps?: ToolSummary[];
};

/** The entries of a message that arrives whole. Parts have no ids then; their place in the message is one. */
export function entriesOf(message: LiveMessage): Entry[] {
  const { id, role, content, createdAt, senderId, source, parts = [] } = message;
  if (role === "user") {
    const images = parts.flatMap((part) => (part.type === "image" ? [part.image] : []));
    return [{ kind: "user", id, text: content, images, at: createdAt, senderId, source }];
  }
  return parts.flatMap((part, at): Entry[] => {
    switch (part.type) {
      case "text":
      case "thinking":
        return [{ kind: part.type, id: `${id} ${at}`, messageId: id, text: part.text, streaming: false }];
      case "tool": {
        const { toolCallId, toolName: tool, args, status, result } = part;
        return [{ kind: "tool", id: toolCallId, messageId: id, tool, args, status, result }];
      }
      default:
        return [];
    }
  });
}
