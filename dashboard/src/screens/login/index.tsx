import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate, useSearchParams } from "react-router";
import { z } from "zod";
import { api, body } from "@/api/client";
import { signIn } from "@/api/session";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
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
  const submit = form.handleSubmit(async ({ token }) => {
    try {
      await signIn(token);
      client.clear();
      await navigate(safe(search.get("to")), { replace: true });
    } catch (problem) {
      setError(problem);
    }
  });
  const options = useQuery({ queryKey: ["login"], queryFn: () => body(api.GET("/v1/login")) });
  const { errors, isSubmitting } = form.formState;
  return (
    <main className={css.screen}>
      <div className={css.box}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Proliferate</h1>
        <p className={css.lead}>
          On your own machine, open the link that <code>./run</code> prints. Elsewhere, paste a token or an
          API key of your organization.
        </p>
        {options.data && <Providers providers={options.data.providers} to={safe(search.get("to"))} />}
        <Form
          onSubmit={submit}
          error={error}
          foot={
            <Button
              kind={options.data?.oidc ? "plain" : "primary"}
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
