import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, body } from "@/api/client";
import { useMay } from "@/parts/may";
import { Person } from "@/parts/members";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Facts } from "@/ui/Facts";
import { Form } from "@/ui/Form";
import { Json } from "@/ui/Json";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import css from "./connectors.module.css";
import type { Connector, Tool } from "./queries";

type Props = { connector: Connector; tool: Tool; onClose: () => void };

/** A definition that no admin has accepted, or that reads differently than the one that was. */
export function Review({ connector, tool, onClose }: Props) {
  const { guard } = useMay();
  const client = useQueryClient();
  const accept = useMutation({
    mutationFn: () =>
      body(
        api.POST("/v1/connectors/{id}/review", {
          params: { path: { id: connector.id } },
          body: { tools: [{ name: tool.name, sha256: tool.sha256 }] },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["connectors", connector.id] });
      toast.done(`${tool.tool} is accepted as it reads now.`);
      onClose();
    },
  });
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={`Review ${tool.tool}`}
      lead={
        tool.state === "changed"
          ? "Its definition is not the one that was accepted. Until an admin accepts it, no grant covers its calls, and calls that were approved before are not made."
          : "No admin has looked at its definition. Once one is accepted, grants that name the tool cover it, also those from before it was first seen."
      }
    >
      <Form
        error={accept.error}
        onSubmit={(event) => {
          event.preventDefault();
          accept.mutate();
        }}
        foot={
          <>
            <Button onClick={onClose}>Not yet</Button>
            <Button {...guard} kind="primary" type="submit" busy={accept.isPending}>
              Accept what it reads now
            </Button>
          </>
        }
      >
        <Facts
          facts={[
            [
              tool.reviewedBy ? "Accepted" : "First seen",
              tool.pinnedSha256 && <code>{tool.pinnedSha256}</code>,
            ],
            [
              "Accepted by",
              tool.reviewedBy ? <Person key="" id={tool.reviewedBy} /> : "nobody: the first that was seen",
            ],
            [
              "Since",
              (tool.reviewedAt ?? tool.firstSeenAt) && (
                <RelativeTime at={tool.reviewedAt ?? tool.firstSeenAt ?? ""} />
              ),
            ],
            ["Reads now", <code key="">{tool.sha256}</code>],
            ["Says", tool.description],
          ]}
        />
        <div className={css.compared}>
          {tool.changed?.accepted != null && (
            <Definition value={tool.changed.accepted} label="As it was accepted" />
          )}
          <Definition value={tool.changed?.now ?? tool.params} label="As it reads now" />
        </div>
      </Form>
    </Dialog>
  );
}

function Definition({ value, label }: { value: unknown; label: string }) {
  return (
    <div>
      <p className="muted small">{label}</p>
      <Json value={value} label={label} />
    </div>
  );
}
