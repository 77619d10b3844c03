import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, body } from "@/api/client";
import { Person } from "@/parts/members";
import { Answer } from "@/ui/Answer";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { CodeBlock } from "@/ui/CodeBlock";
import { Failure } from "@/ui/Failure";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";
import { toast } from "@/ui/Toast";
import { linksQuery, type ShareLink } from "./queries";
import css from "./share.module.css";

const LIVES = [
  { hours: 1, label: "1 hour" },
  { hours: 24, label: "1 day" },
  { hours: 168, label: "7 days" },
  { hours: 720, label: "30 days" },
];
const USUAL_HOURS = 168;

/** Links to the transcript: made, copied once, revoked. */
export function Links({ id }: { id: string }) {
  const links = useQuery(linksQuery(id));
  const client = useQueryClient();
  const [hours, setHours] = useState(USUAL_HOURS);
  const [made, setMade] = useState<string | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: linksQuery(id).queryKey });
  const make = useMutation({
    mutationFn: () =>
      body(
        api.POST("/v1/sessions/{id}/share-links", {
          params: { path: { id } },
          body: { expiresInHours: hours },
        }),
      ),
    onSuccess: async ({ url }) => {
      setMade(url);
      await changed();
    },
  });
  return (
    <section className={css.links} aria-label="Share links">
      <h3 className={css.heading}>Links to the transcript</h3>
      <p className="muted small">
        A reader with the link needs no account and sees what was said and done, without secrets, until it
        expires or is revoked. Read the transcript before you share it.
      </p>
      <Answer of={links} what="Looking for links">
        {({ items, allowed }) => (
          <>
            {!allowed && <Note>The organization has switched share links off. None of them works.</Note>}
            {allowed && (
              <div className={css.person}>
                <select
                  aria-label="How long the link works"
                  value={hours}
                  onChange={({ target }) => setHours(Number(target.value))}
                >
                  {LIVES.map((life) => (
                    <option key={life.hours} value={life.hours}>
                      {life.label}
                    </option>
                  ))}
                </select>
                <Button busy={make.isPending} onClick={() => make.mutate()}>
                  Make a link
                </Button>
              </div>
            )}
            {make.error && <Failure error={make.error} />}
            {made && (
              <Note tone="good" title="Copy the link now: it is shown only once.">
                <CodeBlock text={made} label="Share link" />
              </Note>
            )}
            <ul className={css.list}>
              {items.map((link) => (
                <LinkRow key={link.id} session={id} link={link} allowed={allowed} onChange={changed} />
              ))}
            </ul>
          </>
        )}
      </Answer>
    </section>
  );
}

type RowProps = { session: string; link: ShareLink; allowed: boolean; onChange: () => Promise<void> };

function LinkRow({ session, link, allowed, onChange }: RowProps) {
  const isLive = !link.revokedAt && Date.parse(link.expiresAt) > Date.now();
  const revoke = useMutation({
    mutationFn: () =>
      api.DELETE("/v1/sessions/{id}/share-links/{link}", {
        params: { path: { id: session, link: link.id } },
      }),
    onSuccess: async () => {
      await onChange();
      toast.done("Revoked.");
    },
    onError: toast.failed,
  });
  return (
    <li className={css.person}>
      <span className={css.name}>
        by <Person id={link.createdBy} />, made <RelativeTime at={link.createdAt} />
        <span className="muted small">
          {link.openedAt ? (
            <>
              {" "}
              · opened, last <RelativeTime at={link.openedAt} />
            </>
          ) : (
            " · not opened"
          )}
        </span>
      </span>
      {link.revokedAt ? (
        <Badge>Revoked</Badge>
      ) : (
        <Badge tone={isLive && allowed ? "good" : "neutral"}>
          <span>
            {isLive ? "Ends" : "Ended"} <RelativeTime at={link.expiresAt} />
          </span>
        </Badge>
      )}
      {isLive && (
        <Button size="s" kind="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      )}
    </li>
  );
}
