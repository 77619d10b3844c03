import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { act } from "@/api/raw";
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
  const path = `/v1/fleet/instances/${of.id}/drain`;
  const done = () => client.invalidateQueries({ queryKey: ["fleet"] });
  const back = useMutation({
    mutationFn: () => act("DELETE", path),
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
        effect={`It takes no new session, and gives its ${plural(of.hubs.leases, "session")} to other instances; where there is none, their sandboxes are saved and they are paused. Whoever watches one is connected again by itself. It can be let back in at any time.`}
        verb="Drain it"
        act={async () => {
          await act("POST", path);
          await done();
        }}
      />
    </>
  );
}
