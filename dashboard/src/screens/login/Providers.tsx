import type { Schemas } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { Button } from "@/ui/Button";
import css from "./login.module.css";

/** A button for each identity provider, in the operator's order. `to` is the page to open after signing in. */
export function Providers({ providers, to }: { providers: Schemas["LoginProvider"][]; to: string }) {
  return providers.map(({ name, label }) => (
    <Button
      key={name}
      kind="primary"
      className={css.go}
      onClick={() => location.assign(`/login/oidc?${new URLSearchParams({ provider: name, next: to })}`)}
    >
      Sign in with {escapeLine(label)}
    </Button>
  ));
}
