import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { escapeLine, escapeText } from "@/lib/visible";
import type { Live } from "@/live/useLive";
import { Person } from "@/parts/members";
import { Snapshots } from "@/parts/snapshots/Snapshots";
import { Facts } from "@/ui/Facts";
import { RelativeTime } from "@/ui/RelativeTime";
import { type Session, sandboxQuery, snapshotsQuery } from "../queries";
import { BootChart } from "./BootChart";
import css from "./panels.module.css";
import { Usage } from "./Usage";

type Props = { id: string; live: Live; session: Session | undefined };

/** How the session came up, what it costs, where it runs. */
export function Overview({ id, live, session }: Props) {
  const sandbox = useQuery(sandboxQuery(id, live.conversation.status)).data;
  const snapshots = useQuery(snapshotsQuery(id)).data?.items ?? [];
  return (
    <div className={css.panel}>
      <section>
        <h2 className={css.title}>How the sandbox came up</h2>
        <BootChart steps={live.conversation.timeline} />
      </section>
      <section>
        <h2 className={css.title}>Cost</h2>
        <Usage id={id} />
      </section>
      <section>
        <h2 className={css.title}>Session</h2>
        <Facts
          facts={[
            ["Id", <code key="id">{id}</code>],
            ["Kind", session?.sessionType],
            ["Model", session?.agentConfig.modelId],
            ["Created", session && <RelativeTime key="at" at={session.createdAt} />],
            ["By", session?.createdBy && <Person key="by" id={session.createdBy} />],
            ["Why it stands so", session?.reason],
          ]}
        />
        {session?.integrationWarnings.map(({ integrationId, message }) => (
          <p key={integrationId} className={css.warning}>
            A connection was left out: {escapeText(message)}
          </p>
        ))}
      </section>
      <section>
        <h2 className={css.title}>Snapshots</h2>
        {snapshots.length > 0 ? (
          <Snapshots snapshots={snapshots} configurationId={session?.configurationId} of={id} />
        ) : (
          <p className="muted small">None yet. Save one to begin other sessions where this one stands.</p>
        )}
      </section>
      <section>
        <h2 className={css.title}>Sandbox</h2>
        <Facts
          facts={[
            ["Provider", sandbox?.provider],
            ["Closed in by", sandbox?.tier],
            ["Expires", sandbox?.expiresAt && <RelativeTime key="e" at={sandbox.expiresAt} />],
          ]}
        />
        {!sandbox?.sandboxId && <p className="muted small">There is none now; the next prompt makes one.</p>}
        {sandbox && sandbox.unprotected.length > 0 && (
          <p className={css.warning}>Not protected against: {escapeLine(sandbox.unprotected.join("; "))}.</p>
        )}
      </section>
      <p className="small">
        <Link to={`/audit?sessionId=${id}`}>The record of this session</Link>
      </p>
    </div>
  );
}
