import { useInfiniteQuery } from "@tanstack/react-query";
import { api, body, type Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Loading } from "@/ui/Loading";
import { RelativeTime } from "@/ui/RelativeTime";
import css from "./panels.module.css";
import { Unavailable } from "./Unavailable";

type File = Schemas["VerificationFile"];

/** What the agent handed in as proof of its work. */
export default function Media({ id }: { id: string }) {
  const path = { id };
  const pages = useInfiniteQuery({
    queryKey: ["sessions", id, "media"],
    initialPageParam: undefined as string | undefined,
    // Bytes are the answer only where a file is named.
    queryFn: async ({ pageParam: cursor }) =>
      (await body(
        api.GET("/proliferate/{id}/verification-media", { params: { path, query: { cursor } } }),
      )) as Schemas["VerificationMedia"],
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: 15_000,
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
      <ul className={css.gallery}>
        {files.map((file) => (
          <li key={file.key} className="stack">
            <Shown id={id} file={file} />
          </li>
        ))}
      </ul>
      {pages.hasNextPage && <Button onClick={() => pages.fetchNextPage()}>Older ones</Button>}
    </div>
  );
}

function Shown({ id, file }: { id: string; file: File }) {
  const address = `/proliferate/${id}/verification-media?${new URLSearchParams({ key: file.key, stream: "true" })}`;
  const [kind] = file.contentType.split("/");
  return (
    <>
      {kind === "image" && <img className={css.picture} src={address} alt={file.name} loading="lazy" />}
      {kind === "video" && (
        // biome-ignore lint/a11y/useMediaCaption: films of a screen have no words
        <video className={css.picture} src={address} controls preload="metadata" />
      )}
      <p className="small">
        <a href={address} target="_blank" rel="noreferrer">
          {file.name}
        </a>{" "}
        <span className="muted">
          {file.size.toLocaleString("en")} bytes · <RelativeTime at={file.lastModified} />
        </span>
      </p>
    </>
  );
}
