import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { z } from "zod";
import { api, body } from "@/api/client";
import { signIn } from "@/api/session";
import { linkCode } from "@/lib/linkCode";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import { ByMail } from "./ByMail";
import css from "./login.module.css";
import { Providers } from "./Providers";

const shape = z.object({ token: z.string().trim().min(1, "Paste a token or an API key.") });

/** Only a place of this dashboard: a link must not redirect a user elsewhere after signing in. */
const safe = (to: string | null) => (to?.startsWith("/") && !to.startsWith("//") ? to : "/sessions");

export default function LoginScreen() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ resolver: zodResolver(shape), defaultValues: { token: "" } });
  const enter = async (token: string) => {
    setError(null);
    try {
      await signIn(token);
      client.clear();
      await navigate(safe(search.get("to")), { replace: true });
    } catch (problem) {
      setError(problem);
    }
  };
  const submit = form.handleSubmit(({ token }) => enter(token));
  const code = linkCode(useLocation());
  const options = useQuery({ queryKey: ["login"], queryFn: () => body(api.GET("/v1/login")) });
  const { errors, isSubmitting } = form.formState;
  return (
    <main className={css.screen}>
      <div className={css.box}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Proliferate</h1>
        {/* Asked for by a button: programs that look into mails open links, and would use it up. */}
        {code && (
          <>
            <Button kind="primary" className={css.go} onClick={() => void enter(code)}>
              Sign in with the link from your mail
            </Button>
            {error !== null && <Failure error={error} />}
          </>
        )}
        {options.data?.setup && (
          <Note title="This installation has no organization yet.">
            <p>
              Open the setup link that <code>proliferate serve</code> printed. The operator makes a new one
              with <code>proliferate setup</code>.
            </p>
          </Note>
        )}
        <p className={css.lead}>
          On your own machine, open the link that <code>./run</code> prints. Elsewhere, paste a token or an
          API key of your organization.
        </p>
        {options.data && <Providers providers={options.data.providers} to={safe(search.get("to"))} />}
        {options.data?.mail && <ByMail />}
        <Form
          onSubmit={submit}
          error={code ? null : error}
          foot={
            <Button
              kind={options.data?.oidc || options.data?.mail || code ? "plain" : "primary"}
              type="submit"
              busy={isSubmitting}
              className={css.go}
            >
              Sign in
            </Button>
          }
        >
          <Field label="Token or API key" error={errors.token?.message}>
            {(wiring) => <input {...wiring} {...form.register("token")} type="password" autoComplete="off" />}
          </Field>
        </Form>
      </div>
    </main>
  );
}
