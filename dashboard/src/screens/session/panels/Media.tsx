import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, body, type Schemas } from "@/api/client";
import { bytes } from "@/lib/bytes";
import { cx } from "@/lib/cx";
import { escapeLine } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { CodeBlock } from "@/ui/CodeBlock";
import { Dialog } from "@/ui/Dialog";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

type File = Schemas["VerificationFile"];

/** A longer text is read in a program of one's own. */
const TEXT_SHOWN_MAX = 500_000;

const addressOf = (id: string, { key }: File): string =>
  `/proliferate/${id}/verification-media?${new URLSearchParams({ key, stream: "true" })}`;

function kindOf({ contentType, size }: File): "image" | "video" | "text" | "other" {
  const [type] = contentType.split("/");
  if (type === "image" || type === "video") return type;
  const isText = type === "text" || contentType === "application/json" || contentType === "application/xml";
  return isText && size <= TEXT_SHOWN_MAX ? "text" : "other";
}

/** What the agent handed in as proof of its work. */
export default function Media({ id }: { id: string }) {
  const path = { id };
  const [opened, setOpened] = useState<File | null>(null);
  const pages = useInfiniteQuery({
    queryKey: ["sessions", id, "media"],
    initialPageParam: undefined as string | undefined,
    // Bytes are the answer only where a file is named.
    queryFn: async ({ pageParam: cursor }) =>
      (await body(
        api.GET("/proliferate/{id}/verification-media", { params: { path, query: { cursor } } }),
      )) as Schemas["VerificationMedia"],
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: 5_000,
  });
  if (pages.error && !pages.data)
    return <Unavailable what="The evidence" error={pages.error} again={pages.refetch} />;
  if (!pages.data) return <Loading what="Fetching the evidence" />;
  const files = pages.data.pages.flatMap((page) => page.files);
  if (files.length === 0) {
    return (
      <Empty title="Nothing was handed in yet.">
        When the agent has verified its work, pictures, films and texts of it are here.
      </Empty>
    );
  }
  return (
    <div className="stack">
      <ul className={css.gallery} aria-label="Evidence">
        {files.map((file) => (
          <li key={file.key} className={css.evidence}>
            <Shown id={id} file={file} onOpen={() => setOpened(file)} />
          </li>
        ))}
      </ul>
      {pages.hasNextPage && <Button onClick={() => pages.fetchNextPage()}>Older ones</Button>}
      {opened && <Large id={id} file={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function Shown({ id, file, onOpen }: { id: string; file: File; onOpen: () => void }) {
  const kind = kindOf(file);
  const path = escapeLine(file.path);
  return (
    <>
      {kind === "image" && (
        <button type="button" className={css.thumb} onClick={onOpen} aria-label={`Show ${path} large`}>
          <Picture id={id} file={file} className={css.picture} />
        </button>
      )}
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: films of a screen have no words
        <video className={css.picture} src={addressOf(id, file)} controls preload="metadata" />
      )}
      <p className={cx("small", css.caption)}>
        {kind === "text" ? (
          <button type="button" className={css.read} onClick={onOpen}>
            {path}
          </button>
        ) : (
          path
        )}
      </p>
      <p className="row spread small muted">
        <span>
          {bytes(file.size)} · <RelativeTime at={file.lastModified} />
        </span>
        <Download id={id} file={file} />
      </p>
    </>
  );
}

/** Also what is called a picture and is none has something to show. */
function Picture({ id, file, className }: { id: string; file: File; className?: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <span className={cx("muted small", css.broken)}>It cannot be shown as a picture.</span>;
  return (
    <img
      className={className}
      src={addressOf(id, file)}
      alt={escapeLine(file.path)}
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
}

function Large({ id, file, onClose }: { id: string; file: File; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={file.path}
      lead={
        <>
          {bytes(file.size)}, handed in <RelativeTime at={file.lastModified} />
        </>
      }
    >
      {kindOf(file) === "image" ? (
        <Picture id={id} file={file} className={css.large} />
      ) : (
        <Text id={id} file={file} />
      )}
      <div className="row">
        <Download id={id} file={file} />
      </div>
    </Dialog>
  );
}

function Text({ id, file }: { id: string; file: File }) {
  const text = useQuery({
    queryKey: ["sessions", id, "media", file.key],
    // What was handed in does not change.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const params = { path: { id }, query: { key: file.key, stream: true } };
      const answer = api.GET("/proliferate/{id}/verification-media", { params, parseAs: "text" });
      return (await body(answer as Promise<never>)) as string;
    },
  });
  return (
    <Answer of={text} what="Fetching the text">
      {(found) => <CodeBlock text={found} label={file.path} tall />}
    </Answer>
  );
}

function Download({ id, file }: { id: string; file: File }) {
  return (
    <a
      href={addressOf(id, file)}
      download={escapeLine(file.name)}
      aria-label={`Download ${escapeLine(file.path)}`}
    >
      Download
    </a>
  );
}
