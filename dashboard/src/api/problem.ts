// The one kind of error of the dashboard: what the API answered, or that it could not be asked.
import type { components } from "./schema";

type Envelope = components["schemas"]["Problem"];

export class Problem extends Error {
  override name = "Problem";
  readonly code: string;
  readonly status: number;
  readonly hint?: string;
  readonly requestId?: string;
  readonly retryable: boolean;
  readonly fields: { field: string; message: string }[];

  constructor(envelope: Partial<Envelope> & { status: number }) {
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
    const envelope = body !== null && typeof body === "object" ? (body as Partial<Envelope>) : {};
    return new Problem({ ...envelope, status: response.status });
  }
}
