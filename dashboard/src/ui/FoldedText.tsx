import { useEffect, useMemo, useState } from "react";
import { fold } from "@/lib/fold";
import { escapeText } from "@/lib/visible";
import css from "./FoldedText.module.css";

type Props = { text: string; label: string; onUnfolded?: () => void };

/** All of a text, never behind a scroll bar: what is long is folded in its middle until it is asked for. */
export function FoldedText({ text, label, onUnfolded }: Props) {
  const parts = useMemo(() => fold(escapeText(text)), [text]);
  const [shown, setShown] = useState<ReadonlySet<number>>(new Set());
  const isWhole = parts.every(({ folded }, at) => !folded || shown.has(at));
  useEffect(() => {
    if (isWhole) onUnfolded?.();
  }, [isWhole, onUnfolded]);
  return (
    <section aria-label={label}>
      <pre className={css.text}>
        {parts.map(({ text: part, folded }, at) =>
          folded && !shown.has(at) ? (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
              key={at}
              type="button"
              className={css.fold}
              onClick={() => setShown(new Set([...shown, at]))}
            >
              … {folded} folded …
            </button>
          ) : (
            part
          ),
        )}
      </pre>
    </section>
  );
}
