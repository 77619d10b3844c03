import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
import { plural } from "@/lib/plural";
import { instanceName } from "@/parts/names";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { toast } from "@/ui/Toast";
import type { Instance } from "./load";

/** Takes an instance out of the fleet, or back in. */
export function DrainButton({ of }: { of: Instance }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const params = { path: { id: of.id } };
  const done = () => client.invalidateQueries({ queryKey: ["fleet"] });
  const back = useMutation({
    mutationFn: () => body(api.DELETE("/v1/fleet/instances/{id}/drain", { params })),
    onSuccess: done,
    onError: (error) => toast.failed(error),
  });
  if (of.role === "worker") return null;
  if (of.drain) {
    return (
      <Button size="s" busy={back.isPending} onClick={() => back.mutate()}>
        Take sessions again
      </Button>
    );
  }
  return (
    <>
      <Button size="s" onClick={() => setAsking(true)}>
        Drain…
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Drain ${instanceName(of.id)}?`}
        effect={`It takes no new session, and gives its ${plural(of.hubs.leases, "session")} to other instances; where there is none, their sandboxes are saved and they are paused. Clients reconnect automatically. It can be let back in at any time.`}
        verb="Drain it"
        act={async () => {
          await body(api.POST("/v1/fleet/instances/{id}/drain", { params }));
          await done();
        }}
      />
    </>
  );
}
