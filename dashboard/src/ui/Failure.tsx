import { Problem } from "@/api/problem";
import { escapeLine, escapeText } from "@/lib/visible";
import { Button } from "./Button";
import css from "./Notice.module.css";

/** What went wrong, what helps, and what to report to the operator of the gateway. */
export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const problem = Problem.from(error);
  const [only, ...others] = problem.fields;
  // One that was refused is what the message says.
  const isTold = only === undefined || (others.length === 0 && problem.message.includes(only.message));
  return (
    <div className={css.failure} role="alert">
      <p className={css.title}>{escapeText(problem.message)}</p>
      {!isTold && (
        <ul className={css.fields}>
          {problem.fields.map(({ field, message }) => (
            <li key={field + message}>
              <code>{escapeLine(field)}</code>: {escapeText(message)}
            </li>
          ))}
        </ul>
      )}
      {problem.hint && !only && <p className={css.hint}>{escapeText(problem.hint)}</p>}
      {problem.requestId && (
        <p className={css.id}>
          {problem.code} · request {problem.requestId}
        </p>
      )}
      {again && (
        <Button size="s" onClick={again}>
          Try again
        </Button>
      )}
    </div>
  );
}
