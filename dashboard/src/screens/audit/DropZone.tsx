import { FileUp } from "lucide-react";
import { useId, useState } from "react";
import { cx } from "@/lib/cx";
import { count } from "@/lib/money";
import { escapeLine } from "@/lib/visible";
import css from "./audit.module.css";

/** A file, dropped or chosen. */
export function DropZone({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <label
      htmlFor={id}
      className={cx(css.drop, over && css.over)}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer.files[0];
        if (dropped) onFile(dropped);
      }}
    >
      <FileUp aria-hidden />
      {file ? (
        <span>
          <strong>{escapeLine(file.name)}</strong>
          <br />
          <span className="muted small">{count(file.size)} bytes. Drop another to replace it.</span>
        </span>
      ) : (
        <span>
          <strong>Drop a bundle here</strong>
          <br />
          <span className="muted small">or choose a .jsonl file</span>
        </span>
      )}
      <input
        id={id}
        type="file"
        accept=".jsonl,application/jsonl"
        className="visually-hidden"
        aria-label="Bundle file"
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          if (chosen) onFile(chosen);
          // The same file may be chosen again after it was changed.
          target.value = "";
        }}
      />
    </label>
  );
}
