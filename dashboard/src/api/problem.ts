// The one kind of error of the dashboard: what the API answered, or that it could not be asked.
import type { components } from "./schema";

type Envelope = components["schemas"]["Problem"];
type CallAnswer = components["schemas"]["ToolCallAnswer"];
/** A mediated call that did not go well names its own codes. */
type Said = Partial<Omit<Envelope, "code">> & { code?: string };

export class Problem extends Error {
  override name = "Problem";
  readonly code: string;
  readonly status: number;
  readonly hint?: string;
  readonly requestId?: string;
  readonly retryable: boolean;
  readonly fields: { field: string; message: string }[];

  constructor(envelope: Said & { status: number }) {
    super(envelope.detail ?? envelope.title ?? `The gateway answered ${envelope.status}.`);
    this.code = envelope.code ?? `HTTP_${envelope.status}`;
    this.status = envelope.status;
    this.hint = envelope.hint;
    this.requestId = envelope.request_id;
    this.retryable = envelope.retryable ?? false;
    this.fields = (envelope.errors ?? []).map((each) => ({ field: each.field, message: each.message }));
  }

  /** The gateway could not be asked at all. */
  static offline(): Problem {
    return new Problem({
      status: 0,
      code: "INTERNAL",
      detail: "The gateway does not answer.",
      hint: "Check that it runs and that this device is online; the page tries again by itself.",
      retryable: true,
    });
  }

  static from(cause: unknown): Problem {
    if (cause instanceof Problem) return cause;
    if (cause instanceof TypeError) return Problem.offline();
    return new Problem({ status: 0, detail: cause instanceof Error ? cause.message : String(cause) });
  }

  /** Of an answer that is none of the API's own documents, such as a proxy's. */
  static async ofResponse(response: Response): Promise<Problem> {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => ({}));
    const said = body !== null && typeof body === "object" ? (body as Said & Partial<CallAnswer>) : {};
    return new Problem({ ...said, ...ofCall(said), status: response.status });
  }
}

/** What went wrong with a mediated call, which is answered in the words of its contract. */
function ofCall({ outcome, error }: Partial<CallAnswer>): Said {
  if (!outcome || !error) return {};
  return { code: error.error_code, detail: error.message, retryable: error.retryable };
}
