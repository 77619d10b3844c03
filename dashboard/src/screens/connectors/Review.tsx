import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { api, body } from "@/api/client";
import { useMay } from "@/parts/may";
import { Person } from "@/parts/members";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Facts } from "@/ui/Facts";
import { FoldedText } from "@/ui/FoldedText";
import { Form } from "@/ui/Form";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import css from "./connectors.module.css";
import type { Connector, Tool } from "./queries";

/** A gateway that is older gives no definition of a tool that was never accepted. */
const HIDDEN = { disabled: true, title: "This gateway does not give the whole definition." };
const FOLDED = { disabled: true, title: "Unfold all of the definition to accept it." };

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
  // All that its digest stands for: what was not shown is not accepted.
  const definition = tool.changed?.now ?? tool.definition ?? undefined;
  const [isSeen, setSeen] = useState(false);
  const onUnfolded = useCallback(() => setSeen(true), []);
  const shown = definition === undefined ? HIDDEN : isSeen ? guard : FOLDED;
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
            <Button {...shown} kind="primary" type="submit" busy={accept.isPending}>
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
              tool.reviewedBy ? (
                <Person key="" id={tool.reviewedBy} />
              ) : (
                "not reviewed: the first that was seen"
              ),
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
          {definition !== undefined && (
            <Definition value={definition} label="As it reads now" onUnfolded={onUnfolded} />
          )}
        </div>
      </Form>
    </Dialog>
  );
}

type DefinitionProps = { value: unknown; label: string; onUnfolded?: () => void };

function Definition({ value, label, onUnfolded }: DefinitionProps) {
  return (
    <div>
      <p className="muted small">{label}</p>
      <FoldedText text={JSON.stringify(value, null, 2)} label={label} onUnfolded={onUnfolded} />
    </div>
  );
}
