import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Diff, Hunk, parseDiff } from "react-diff-view";
import "react-diff-view/style/index.css";
import "./diff.css";
import { ask } from "@/api/raw";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

/** Files with more changed lines than this are closed at first. */
const OPEN_LINES_MAX = 400;

/** What is different in the sandbox's working tree. */
export default function Changes({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["sessions", id, "diff"],
    queryFn: async () => (await ask(`/proliferate/${id}/git/diff`, "text/x-diff")).text(),
    retry: false,
  });
  const files = useMemo(() => (data ? parseDiff(data, { nearbySequences: "zip" }) : []), [data]);
  if (error) return <Unavailable what="The changes" error={error} again={refetch} />;
  if (data === undefined) return <Loading what="Asking the sandbox" />;
  return (
    <div className={css.files}>
      <div className="row spread">
        <p className="muted small">
          {files.length} {files.length === 1 ? "file differs" : "files differ"} from the last commit
        </p>
        <Button size="s" busy={isFetching} onClick={() => refetch()}>
          Look again
        </Button>
      </div>
      {files.length === 0 && (
        <Empty title="Nothing differs.">The working tree is as the last commit has it.</Empty>
      )}
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
