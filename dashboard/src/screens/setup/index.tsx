import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { meQuery } from "@/api/me";
import { Problem } from "@/api/problem";
import { Answer } from "@/ui/Answer";
import { Checks } from "./Checks";
import { FirstTask } from "./FirstTask";
import { Found } from "./Found";
import { Repository } from "./Repository";
import css from "./setup.module.css";

/** The steps after the organization is made. Each is an address, so that a reload comes back to it. */
const STEPS = {
  checks: { title: "What it stands on", Step: Checks },
  repository: { title: "Your repository", Step: Repository },
  task: { title: "The first task", Step: FirstTask },
};
const names = ["Organization", "Checks", "Repository", "First task"];

/** From an empty installation to a first session. */
export default function SetupScreen() {
  const [search] = useSearchParams();
  const asked = search.get("step");
  const step = asked !== null && asked in STEPS ? (asked as keyof typeof STEPS) : null;
  const now = step === null ? 0 : Object.keys(STEPS).indexOf(step) + 1;
  return (
    <main className={css.screen}>
      <div className={css.box}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>{step === null ? "Set up Proliferate" : STEPS[step].title}</h1>
        <ol className={css.steps} aria-label="Steps">
          {names.map((name, number) => (
            <li
              key={name}
              aria-current={number === now ? "step" : undefined}
              data-done={number < now || undefined}
            >
              {name}
            </li>
          ))}
        </ol>
        {step === null ? <Found code={search.get("code") ?? ""} /> : <SignedIn step={step} />}
      </div>
    </main>
  );
}

/** The later steps are the owner's: the link was used up by the first one. */
function SignedIn({ step }: { step: keyof typeof STEPS }) {
  const { pathname, search } = useLocation();
  const me = useQuery(meQuery);
  if (me.error && Problem.from(me.error).status === 401)
    return <Navigate to={`/login?to=${encodeURIComponent(pathname + search)}`} replace />;
  const { Step } = STEPS[step];
  return (
    <Answer of={me} what="Looking who you are">
      {() => <Step />}
    </Answer>
  );
}
