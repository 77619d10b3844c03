// A session as its frames tell it. Entries are replaced, never changed, so that a row that reads the same is not
// drawn again; the lists around them are changed in place, because a frame must cost the same after ten thousand.
import type {
  ActionApprovalRequest,
  BootStep,
  ConnectedClient,
  EnvRequest,
  Frame,
  Init,
  LiveConfig,
  LiveStatus,
  TextPart,
  ToolEnd,
  ToolStart,
} from "@/api/live";
import { type Entry, entriesOf, type ToolEntry } from "./entry";
import { afterwards, type Migration, type MigrationFrame } from "./migration";

const ENV_TOOL = "request_env_variables";

export class Conversation {
  /** The last event that was seen; what was missed comes after it. */
  seq: number | null = null;
  hasBegun = false;
  status: LiveStatus | null = null;
  statusWords: string | null = null;
  isIdle = false;
  title: string | null = null;
  previewUrl: string | null = null;
  /** A move that is under way, and the prompts that wait for its end. */
  moving: { reason: Migration["reason"]; queued: number } | null = null;
  entries: Entry[] = [];
  approvals = new Map<string, ActionApprovalRequest>();
  envRequests = new Map<string, EnvRequest>();
  timeline: BootStep[] = [];
  clients: ConnectedClient[] = [];
  config: LiveConfig | null = null;
  #places = new Map<string, number>();
  #notes = 0;

  apply(frame: Frame | MigrationFrame): void {
    if (frame.seq !== undefined) {
      // Told twice, after a connection that broke: known.
      if (this.seq !== null && frame.seq <= this.seq) return;
      this.seq = frame.seq;
    }
    switch (frame.type) {
      case "init":
        return this.#begin(frame.payload);
      case "message":
        if (frame.payload.role === "user") this.envRequests.clear();
        if (frame.payload.role === "user") this.isIdle = false;
        if (frame.payload.role === "user" && this.moving)
          this.moving = { ...this.moving, queued: this.moving.queued + 1 };
        for (const entry of entriesOf(frame.payload)) this.#put(entry);
        return;
      case "token":
      case "thinking": {
        const { messageId, partId, token } = frame.payload;
        const kind = frame.type === "token" ? "text" : "thinking";
        const known = this.#part(messageId, partId, kind);
        this.isIdle = false;
        return this.#text(kind, { messageId, partId, text: known + token }, true);
      }
      case "text_part_complete":
        return this.#text("text", frame.payload, false);
      case "text_snapshot":
        return this.#text("text", frame.payload, true);
      case "thinking_complete":
        return this.#text("thinking", frame.payload, false);
      case "text_void":
        return this.#text("text", { ...frame.payload, text: "" }, false);
      case "tool_start":
        return this.#toolStart(frame.payload);
      case "tool_end":
        return this.#toolEnd(frame.payload);
      case "tool_metadata": {
        const { toolCallId, title, metadata } = frame.payload;
        return this.#changeTool(toolCallId, { title, steps: metadata.summary });
      }
      case "status":
        this.status = frame.payload.status;
        if (this.status !== "migrating") this.moving = null;
        else this.moving ??= { reason: "expiry", queued: 0 };
        this.statusWords = frame.payload.message ?? null;
        this.isIdle = frame.payload.isIdle ?? false;
        return;
      case "session_paused":
        this.status = "paused";
        return;
      case "session_resumed":
        this.status = "running";
        return;
      case "migration":
        return this.#move(frame.payload);
      case "boot_step":
        return this.#bootStep(frame.payload);
      case "action_approval_request":
        this.approvals.set(frame.payload.invocationId, frame.payload);
        return;
      case "action_approval_result": {
        const { invocationId, action, status, approvedBy, reason } = frame.payload;
        this.approvals.delete(invocationId);
        const tone = status === "approved" ? "good" : "bad";
        return this.#note(`${action} ${status}`, tone, {
          by: approvedBy ?? undefined,
          why: reason ?? undefined,
        });
      }
      case "action_completed": {
        const { action, status, error, outcomeUnknown } = frame.payload;
        if (status !== "failed") return this.#note(`${action} was done`, "good");
        const unknown = outcomeUnknown ? " It is not known what effect it had." : "";
        return this.#note(`${action} failed: ${error ?? "no reason was given"}.${unknown}`, "bad");
      }
      case "message_cancelled":
        return this.#note("Cancelled", "neutral");
      case "error":
        return this.#note(frame.payload.message, "bad");
      case "gap": {
        const { from, to } = frame.payload;
        return this.#note(`Events ${from} to ${to} are no longer kept`, "neutral");
      }
      case "snapshot_result": {
        const { success, snapshotId, error } = frame.payload;
        if (success) return this.#note(`Saved as snapshot ${snapshotId ?? ""}`, "good");
        return this.#note(`Not saved: ${error ?? "no reason was given"}`, "bad");
      }
      case "presence":
        this.clients = frame.payload.clients;
        return;
      case "title_update":
        this.title = frame.payload.title;
        return;
      case "preview_url":
        this.previewUrl = frame.payload.url;
        return;
    }
  }

  #begin(init: Init): void {
    this.seq = init.seq;
    this.hasBegun = true;
    this.status = init.status;
    this.moving = init.status === "migrating" ? { reason: "expiry", queued: 0 } : null;
    this.statusWords = null;
    this.entries = init.messages.flatMap(entriesOf);
    this.#places = new Map(this.entries.map((entry, at) => [entry.id, at]));
    this.approvals = new Map((init.pendingApprovals ?? []).map((each) => [each.invocationId, each]));
    this.envRequests = new Map((init.envRequests ?? []).map((each) => [each.toolCallId, each]));
    this.timeline = init.timeline ?? [];
    this.clients = init.clients ?? [];
    this.config = init.config ?? null;
  }

  #move(move: Migration): void {
    const said = afterwards(move);
    this.moving = said ? null : { reason: move.reason, queued: this.moving?.queued ?? move.queued ?? 0 };
    if (said) this.#note(said.text, said.tone);
  }

  #put(entry: Entry): void {
    const at = this.#places.get(entry.id);
    if (at !== undefined) this.entries[at] = entry;
    else this.#places.set(entry.id, this.entries.push(entry) - 1);
  }

  /** The text of a part so far. One that `init` showed in the middle has no id there: it is the message's last. */
  #part(messageId: string, partId: string, kind: "text" | "thinking"): string {
    const at = this.#places.get(partId);
    if (at === undefined) {
      const last = this.entries.at(-1);
      if (last?.kind !== kind || last.messageId !== messageId || last.id !== this.#unnamed(messageId))
        return "";
      this.#places.set(partId, this.entries.length - 1);
      return last.text;
    }
    const entry = this.entries[at];
    return entry?.kind === kind ? entry.text : "";
  }

  /** The id that the last entry has if `init` told it. */
  #unnamed(messageId: string): string | undefined {
    const last = this.entries.at(-1);
    return last?.id.startsWith(`${messageId} `) ? last.id : undefined;
  }

  #text(kind: "text" | "thinking", { messageId, partId, text }: TextPart, streaming: boolean): void {
    const known = this.#part(messageId, partId, kind);
    const at = this.#places.get(partId);
    const isOther = at !== undefined && this.entries[at]?.id !== partId && !text.startsWith(known);
    if (at === undefined || isOther) return this.#addText(kind, { messageId, partId, text }, streaming);
    const id = this.entries[at]?.id ?? partId;
    this.entries[at] = { kind, id, messageId, text, streaming };
  }

  #addText(kind: "text" | "thinking", { messageId, partId, text }: TextPart, streaming: boolean): void {
    this.#places.delete(partId);
    this.#put({ kind, id: partId, messageId, text, streaming });
  }

  #toolStart({ toolCallId, tool, args, messageId, isCut }: ToolStart): void {
    this.isIdle = false;
    const known = this.#tool(toolCallId);
    const keeps = known && Object.keys(args).length === 0;
    this.#put({
      kind: "tool",
      status: "running",
      ...known,
      id: toolCallId,
      tool,
      messageId,
      args: keeps ? known.args : args,
      isCut,
    });
    if (tool === ENV_TOOL && Array.isArray(args.keys)) this.envRequests.set(toolCallId, { toolCallId, args });
  }

  #toolEnd({ toolCallId, tool, result, durationMs, status, isCut }: ToolEnd): void {
    if (!this.#tool(toolCallId)) this.#put({ kind: "tool", id: toolCallId, tool, args: {}, status });
    this.#changeTool(toolCallId, { result, durationMs, status, isCut });
    if (status === "error") this.envRequests.delete(toolCallId);
  }

  #tool(id: string): ToolEntry | undefined {
    const entry = this.entries[this.#places.get(id) ?? -1];
    return entry?.kind === "tool" ? entry : undefined;
  }

  #changeTool(id: string, change: Partial<ToolEntry>): void {
    const known = this.#tool(id);
    if (known) this.#put({ ...known, ...change });
  }

  /** A step that does not come after the last one is the first of another boot. */
  #bootStep(step: BootStep): void {
    const same = this.timeline.findIndex(
      (each) => each.stage === step.stage && each.startedAt === step.startedAt,
    );
    if (same >= 0) this.timeline = this.timeline.with(same, step);
    else {
      const begins = this.timeline.some((each) => each.stage === step.stage);
      this.timeline = begins ? [step] : [...this.timeline, step];
    }
  }

  #note(text: string, tone: "neutral" | "good" | "bad", more?: { by?: string; why?: string }): void {
    this.#notes += 1;
    this.#put({ kind: "note", id: `note ${this.#notes}`, text, tone, ...more });
  }
}
