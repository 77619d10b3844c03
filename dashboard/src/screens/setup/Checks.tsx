import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, body, type Schemas } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { Answer } from "@/ui/Answer";
import { Badge, type Tone } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import css from "./setup.module.css";

type Check = Schemas["InstallationCheckView"];
const TONES: Record<Check["state"], [Tone, string]> = {
  failed: ["bad", "Failed"],
  warning: ["warn", "Look at it"],
  ok: ["good", "In order"],
};
const ORDER = Object.keys(TONES);

/** Those with something to do come first. */
const sorted = (checks: Check[]) =>
  checks.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));

/** The second step: what `proliferate doctor` says, with what to do. */
export function Checks() {
  const navigate = useNavigate();
  const checks = useQuery({
    queryKey: ["installation-checks"],
    queryFn: () => body(api.POST("/v1/installation/checks")),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <p className={css.lead}>
        The checks of <code>proliferate doctor</code>, as this gateway sees them. What is marked can also be
        put in order later.
      </p>
      <Answer of={checks} what="Checking the installation">
        {({ checks: found }) => (
          <ul className={css.checks} aria-label="Checks">
            {sorted(found).map((check, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: several checks have one name, and none moves
              <li key={number} className={css.check}>
                <span className="row">
                  <Badge tone={TONES[check.state][0]}>{TONES[check.state][1]}</Badge>
                  <strong>{escapeLine(check.name)}</strong>
                </span>
                <span>{escapeLine(check.sentence)}</span>
                {check.remedy && <span className="muted">What to do: {escapeLine(check.remedy)}</span>}
              </li>
            ))}
          </ul>
        )}
      </Answer>
      <div className={css.go}>
        <Button kind="primary" onClick={() => navigate("/setup?step=repository")}>
          Go on to the repository
        </Button>
        <Button busy={checks.isFetching} onClick={() => void checks.refetch()}>
          Check again
        </Button>
      </div>
    </>
  );
}
