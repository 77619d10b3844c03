import { useMutation } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import { plural } from "@/lib/plural";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { FoldedText } from "@/ui/FoldedText";
import { Decide } from "./Decide";
import css from "./Decide.module.css";

/** A call that waits, as far as its copy in the record shows it. */
export type WaitingCall = {
  sessionId: string;
  invocationId: string;
  action: string;
  params?: unknown;
  paramsComplete: boolean;
  callSha256: string;
};
type Props = { call: WaitingCall; moving?: boolean };

/**
 * What would be done and the three answers. An admin approves only what was on the screen: parts that are left out of the
 * copy are opened first, what is folded is unfolded, and the decision names the digest of what is shown.
 */
export function CallReview({ call, moving }: Props) {
  const { sessionId, invocationId, action } = call;
  const { isAdmin } = useMe();
  const { data, mutate, isPending, error } = useMutation({
    mutationFn: () =>
      body(
        api.GET("/proliferate/{id}/actions/invocations/{invocation}/call", {
          params: { path: { id: sessionId, invocation: invocationId } },
        }),
      ),
  });
  // A gateway that is older says neither.
  const whole = data ?? (call.paramsComplete && call.callSha256 ? call : undefined);
  const [unfolded, setUnfolded] = useState<string>();
  const digest = whole?.callSha256;
  const onUnfolded = useCallback(() => setUnfolded(digest), [digest]);
  const isSeen = digest !== undefined && unfolded === digest;
  const hint = whole ? "Unfold all of the call to approve it." : "Open the whole call to approve it.";
  return (
    <>
      <FoldedText
        key={digest ?? "copy"}
        text={JSON.stringify(whole?.params ?? call.params ?? {}, null, 2)}
        label="Parameters of the call"
        onUnfolded={onUnfolded}
      />
      {data && (
        <p className="muted small">
          This is the whole call, and that you opened it is on record.
          {data.leftOut > 0 && ` ${plural(data.leftOut, "credential")} of the gateway left out.`}
        </p>
      )}
      {!whole && (
        <div className={css.partial}>
          <p className="small">
            Parts of the call are left out of this copy, because they look like secrets or are long.
          </p>
          {isAdmin && (
            <Button busy={isPending} onClick={() => mutate()}>
              Open the whole call
            </Button>
          )}
        </div>
      )}
      {error && <Failure error={error} />}
      <Decide
        sessionId={sessionId}
        invocationId={invocationId}
        action={action}
        callSha256={isSeen ? digest : undefined}
        shownSha256={digest ?? call.callSha256}
        hint={hint}
        moving={moving}
      />
    </>
  );
}
