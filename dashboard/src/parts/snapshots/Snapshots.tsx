import { useQueryClient } from "@tanstack/react-query";
import { GitFork } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { api, body } from "@/api/client";
import { bytes } from "@/lib/bytes";
import { plural } from "@/lib/plural";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { Digest } from "@/ui/Digest";
import { LinkButton } from "@/ui/LinkButton";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import { lineage, type Snapshot } from "./lineage";
import css from "./Snapshots.module.css";

type Props = {
  snapshots: Snapshot[];
  /** Whose sessions could start from them. */
  configurationId: string | null | undefined;
  /** The session that is looked at, if one is. */
  of?: string;
};

/** Saved sandboxes in the order they grew from each other, and what can begin from them. */
export function Snapshots({ snapshots, configurationId, of }: Props) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Snapshot | null>(null);
  const makeDefault = async () => {
    if (!chosen || !configurationId) return;
    await body(
      api.PATCH("/v1/configurations/{id}", {
        params: { path: { id: configurationId } },
        body: { snapshotId: chosen.id },
      }),
    );
    await Promise.all([
      client.invalidateQueries({ queryKey: ["configurations"] }),
      client.invalidateQueries({ queryKey: ["sessions"] }),
    ]);
    toast.done("It is the start now.", "Sessions that begin from now on have what it holds.");
  };
  return (
    <>
      <ul className={css.list} aria-label="Snapshots">
        {lineage(snapshots).map(({ snapshot, level }) => (
          <li key={snapshot.id} className={css.one} data-level={Math.min(level, 4)}>
            <div className={css.words}>
              <p className="row">
                <Digest of={snapshot.id} />
                {snapshot.isDefault && <Badge tone="accent">Start of its configuration</Badge>}
              </p>
              <p className="muted small">
                {bytes(snapshot.byteSize)}, <RelativeTime at={snapshot.createdAt} />
                {snapshot.depth > 1 && `, on top of ${plural(snapshot.depth - 1, "other")}`}
                {snapshot.sessionId !== of && (
                  <>
                    , of <Link to={`/sessions/${snapshot.sessionId}`}>{of ? "another" : "a"} session</Link>
                  </>
                )}
              </p>
            </div>
            <div className={css.acts}>
              <LinkButton size="s" to={begin(snapshot, configurationId)}>
                <GitFork aria-hidden /> New session from it
              </LinkButton>
              {configurationId && !snapshot.isDefault && (
                <Button size="s" onClick={() => setChosen(snapshot)}>
                  Make it the start…
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <Confirm
        open={chosen !== null}
        onOpenChange={() => setChosen(null)}
        title="Make this snapshot the start?"
        effect="Sessions of the configuration that begin from now on start with what it holds. Sessions that are going on keep what they have. Another one can be made the start at any time, for as long as a session keeps it."
        verb="Make it the start"
        act={makeDefault}
      />
    </>
  );
}

function begin({ id }: Snapshot, configurationId: string | null | undefined): string {
  const query = new URLSearchParams({ snapshot: id });
  if (configurationId) query.set("configuration", configurationId);
  return `/sessions/new?${query}`;
}
