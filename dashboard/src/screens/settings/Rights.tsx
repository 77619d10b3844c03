import { Card } from "@/ui/Card";
import rows from "../../../../docs/reference/session-rights.json";
import css from "./settings.module.css";

const RIGHTS = [
  { name: "see", means: "read its transcript, changes, calls and previews" },
  { name: "steer", means: "prompt its agent, use its terminal, change its sandbox" },
  { name: "order", means: "end it, name it" },
  { name: "decide", means: "approve or deny its calls" },
  { name: "share", means: "change who sees it, make share links" },
] as const;

/** Who may see, steer, order, decide and share a session: the table that the gateway decides by. */
export function Rights() {
  return (
    <Card title="Who may see, steer and decide a session">
      <p className="muted small">
        The gateway decides every request by this table. Who is several of these has the rights of each. "The
        creator has left" also means that a service made the session.
      </p>
      <div className={css.rights}>
        <table aria-label="Who may what">
          <thead>
            <tr>
              <td />
              {RIGHTS.map(({ name, means }) => (
                <th key={name} scope="col">
                  {name} <span className="muted small">{means}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ relation, title, rights }) => (
              <tr key={relation}>
                <th scope="row">{title}</th>
                {RIGHTS.map(({ name }) => (
                  <td key={name} data-answer={rights[name]}>
                    {rights[name]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
