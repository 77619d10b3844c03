import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Diff, Hunk, parseDiff } from "react-diff-view";
import "react-diff-view/style/index.css";
import "./diff.css";
import type { GitState } from "@/api/live";
import { ask } from "@/api/raw";
import { escapeLine, escapeText } from "@/lib/visible";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

type GitDiff = { diff: string; truncated: boolean; binary: boolean };

/** Files with more changed lines than this are closed at first. */
const OPEN_LINES_MAX = 400;

/** What git says of the working tree, and what is different in it. */
async function changes(id: string): Promise<GitDiff & { state: GitState }> {
  const read = async (what: string) =>
    (await ask(`/proliferate/${id}/git/${what}`, "application/json")).json();
  const [state, diff] = await Promise.all([read("status"), read("diff")]);
  return { ...diff, state };
}

/** What is different in the sandbox's working tree. */
export default function Changes({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["sessions", id, "diff"],
    queryFn: () => changes(id),
    retry: false,
  });
  const files = useMemo(
    () => (data?.diff ? parseDiff(escapeText(data.diff), { nearbySequences: "zip" }) : []),
    [data],
  );
  if (error) return <Unavailable what="The changes" error={error} again={refetch} />;
  if (!data) return <Loading what="Asking the sandbox" />;
  return (
    <div className={css.files}>
      <div className="row spread">
        <p className="muted small">
          On <code>{escapeLine(data.state.branch)}</code>: {files.length}{" "}
          {files.length === 1 ? "file differs" : "files differ"} from the last commit
        </p>
        <Button size="s" busy={isFetching} onClick={() => refetch()}>
          Look again
        </Button>
      </div>
      {files.length === 0 && (
        <Empty title="Nothing differs.">The working tree is as the last commit has it.</Empty>
      )}
      {data.state.untrackedFiles.length > 0 && (
        <p className="small">
          Not known to git yet: <code>{escapeLine(data.state.untrackedFiles.join(", "))}</code>
        </p>
      )}
      {data.truncated && (
        <p className={css.warning}>There is more than can be shown here; the rest was left out.</p>
      )}
      {data.binary && <p className="muted small">Files of which no lines can be shown are among it.</p>}
      {files.map(({ oldPath, newPath, type, hunks }) => {
        const lines = hunks.reduce((sum, { changes }) => sum + changes.length, 0);
        const name = type === "delete" ? oldPath : newPath;
        return (
          <details key={oldPath + newPath} className={css.file} open={lines <= OPEN_LINES_MAX}>
            <summary className={css.fileName}>
              {name} <Badge>{type}</Badge>
            </summary>
            <section className={css.diff} tabIndex={0} aria-label={`Changes of ${name}`}>
              <Diff viewType="unified" diffType={type} hunks={hunks}>
                {(shown) => shown.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
              </Diff>
            </section>
          </details>
        );
      })}
    </div>
  );
}
