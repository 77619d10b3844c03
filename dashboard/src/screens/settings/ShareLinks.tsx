import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { LookOnly, useMay } from "@/parts/may";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { toast } from "@/ui/Toast";
import { Rights } from "./Rights";

const KEY = ["organization-sharing"];

/** Whether transcripts may be shared with readers without an account, and who may what. */
export function ShareLinks() {
  const sharing = useQuery({
    queryKey: KEY,
    queryFn: () => body(api.GET("/v1/organization/sharing")),
  });
  return (
    <div className="stack">
      <LookOnly what="Allowing share links" />
      <Card title="Share links">
        <Answer of={sharing} what="Looking whether links are allowed">
          {({ shareLinks }) => <Switch allowed={shareLinks} />}
        </Answer>
      </Card>
      <Rights />
    </div>
  );
}

function Switch({ allowed }: { allowed: boolean }) {
  const { guard } = useMay();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => body(api.PUT("/v1/organization/sharing", { body: { shareLinks: !allowed } })),
    onSuccess: async ({ shareLinks }) => {
      await client.invalidateQueries({ queryKey: KEY });
      toast.done(shareLinks ? "Share links work." : "Share links are off.");
    },
    onError: toast.failed,
  });
  return (
    <div className="stack">
      <p>
        {allowed ? (
          <>
            <strong>Allowed.</strong> The creator of a session and admins make links that show its transcript,
            read-only, to readers without an account.
          </>
        ) : (
          <>
            <strong>Off.</strong> No link works. Those that have not expired work again when links are
            allowed.
          </>
        )}
      </p>
      <div className="row">
        <Button
          {...guard}
          kind={allowed ? "danger" : "primary"}
          busy={change.isPending}
          onClick={() => change.mutate()}
        >
          {allowed ? "Switch share links off" : "Allow share links"}
        </Button>
      </div>
    </div>
  );
}
