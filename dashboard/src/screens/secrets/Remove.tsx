import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { KINDS, useScopeWords } from "@/parts/scopes";
import type { Secret } from "@/parts/secrets";
import { Confirm } from "@/ui/Confirm";
import { toast } from "@/ui/Toast";

type Props = { secret: Secret; others: Secret[]; onClose: () => void };

export function Remove({ secret, others, onClose }: Props) {
  const client = useQueryClient();
  const inWords = useScopeWords();
  const width = KINDS.indexOf(secret.scope.kind);
  const wider = others.find(({ key, scope }) => key === secret.key && KINDS.indexOf(scope.kind) < width);
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={
        <>
          Delete {escapeLine(secret.key)} of {inWords(secret.scope)}?
        </>
      }
      effect={
        wider ? (
          <>
            Where it counted, the one of {inWords(wider.scope)} may be taken instead. This value cannot be had
            back.
          </>
        ) : (
          "Sandboxes that start from now on do not have it, and connectors that send it cannot be asked. The value cannot be had back."
        )
      }
      verb="Delete it"
      act={async () => {
        await api.DELETE("/v1/secrets/{id}", { params: { path: { id: secret.id } } });
        await client.invalidateQueries({ queryKey: ["secrets"] });
        toast.done(`${secret.key} is deleted.`);
      }}
    />
  );
}
