import type { ReactNode } from "react";
import { Problem } from "@/api/problem";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";

const REASONS: Record<number, string> = {
  404: "This gateway does not offer it for this session.",
  403: "You may watch this session, but not change what it does.",
  409: "The session has no running sandbox now. Say something to the agent, which wakes it, and try again.",
  501: "The place this session's sandbox runs in cannot do this.",
};

type Props = { what: string; error: unknown; again: () => void; missing?: ReactNode };

/** Why a panel has nothing to show, where that is not an error. */
export function Unavailable({ what, error, again, missing }: Props) {
  const problem = Problem.from(error);
  const reason = problem.status === 404 && missing ? missing : REASONS[problem.status];
  if (!reason) return <Failure error={problem} again={again} />;
  return (
    <Empty
      title={`${what} cannot be shown now.`}
      action={
        <Button size="s" onClick={again}>
          Try again
        </Button>
      }
    >
      {reason}
    </Empty>
  );
}
