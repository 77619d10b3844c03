import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { cx } from "@/lib/cx";
import { escapeLine, escapeText } from "@/lib/visible";
import css from "./CodeBlock.module.css";

type Props = { text: string; label?: string; wrap?: boolean; tall?: boolean };

/** Text as it is, to read and to copy. */
export function CodeBlock({ text, label = "Text", wrap = true, tall }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <div className={css.frame}>
      <section className={cx(css.code, tall && css.tall)} tabIndex={0} aria-label={escapeLine(label)}>
        <pre className={cx(wrap && css.wrap)}>{escapeText(text)}</pre>
      </section>
      <button type="button" className={css.copy} onClick={copy} aria-label={copied ? "Copied" : "Copy"}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </button>
    </div>
  );
}
