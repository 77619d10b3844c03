import { useEffect, useState } from "react";
import { Problem } from "@/api/problem";
import { escapeLine } from "@/lib/visible";
import { Conversation } from "@/live/conversation";
import { Transcript } from "@/screens/session/transcript/Transcript";
import { Failure } from "@/ui/Failure";
import { Loading } from "@/ui/Loading";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";
import { type SharedPage, sharedPage } from "./read";
import css from "./shared.module.css";

/** A transcript by a share link: read-only, as it was recorded, without an account. */
export default function SharedScreen() {
  // Behind `#`: the browser sends it with no request.
  const code = location.hash.slice(1);
  const [conversation] = useState(() => new Conversation());
  const [first, setFirst] = useState<SharedPage | null>(null);
  const [version, setVersion] = useState(0);
  const [hasMore, setHasMore] = useState(true);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    const readAll = async () => {
      let after: number | undefined;
      do {
        const page = await sharedPage(code, after, stop.signal);
        conversation.hasBegun = true;
        for (const frame of page.events) conversation.apply(frame);
        setFirst((known) => known ?? page);
        setVersion((count) => count + 1);
        after = page.next ?? undefined;
      } while (after !== undefined);
      setHasMore(false);
    };
    readAll().catch((cause) => {
      if (!stop.signal.aborted) setError(Problem.from(cause));
    });
    return () => stop.abort();
  }, [code, conversation]);
  const title = escapeLine(first?.title ?? conversation.title ?? "Shared transcript");
  useEffect(() => {
    document.title = `${title} · Proliferate`;
  }, [title]);
  return (
    <main className={css.screen}>
      <header className={css.head}>
        <img src="/favicon.svg" alt="" width="28" height="28" />
        <div>
          <h1 className={css.title}>{title}</h1>
          {first && (
            <p className="muted small">
              A shared transcript of a session from <RelativeTime at={first.createdAt} />, read-only. The link
              ends <RelativeTime at={first.expiresAt} />.
            </p>
          )}
        </div>
      </header>
      {error ? (
        <div className={css.note}>
          <Failure error={error} />
        </div>
      ) : null}
      {first?.beginsLater && (
        <div className={css.note}>
          <Note>What was said before this is no longer kept.</Note>
        </div>
      )}
      {!first && !error && <Loading what="Fetching the transcript" />}
      {first && conversation.entries.length === 0 && !hasMore && (
        <div className={css.note}>
          <Note>Nothing has been said in this session.</Note>
        </div>
      )}
      {conversation.entries.length > 0 && (
        <Transcript conversation={conversation} version={version} session={undefined} />
      )}
    </main>
  );
}
