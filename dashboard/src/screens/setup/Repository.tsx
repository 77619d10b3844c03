import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router";
import { newKey } from "@/api/client";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { begin, shape, type Values } from "./begin";
import css from "./setup.module.css";

/** The third step: a repository, and a session that gets it running. */
export function Repository() {
  const navigate = useNavigate();
  const key = useRef(newKey());
  const { register, handleSubmit, formState } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: { source: "git", url: "", branch: "main" },
  });
  const go = useMutation({
    mutationFn: (values: Values) => begin(values, key.current),
    onSuccess: ({ configuration, session }) =>
      navigate(`/setup?step=task&configuration=${configuration}&session=${session}`),
    onError: () => {
      key.current = newKey();
    },
  });
  const { errors } = formState;
  return (
    <>
      <p className={css.lead}>
        An agent checks the repository out in a sandbox, gets it running and saves a snapshot. Later sessions
        start from that.
      </p>
      <Form
        error={go.error}
        onSubmit={handleSubmit((values) => go.mutate(values))}
        foot={
          <>
            <Button kind="primary" type="submit" busy={go.isPending}>
              Begin the setup session
            </Button>
            <Link to="/sessions">Later</Link>
          </>
        }
      >
        <Field label="Where the code comes from">
          {(wiring) => (
            <select {...wiring} {...register("source")}>
              <option value="git">Any git server</option>
              <option value="github">GitHub</option>
            </select>
          )}
        </Field>
        <Field
          label="Address"
          hint="Without credentials. For a private repository, add a connection under Connectors first."
          error={errors.url?.message}
        >
          {(wiring) => (
            <input
              {...wiring}
              {...register("url")}
              placeholder="https://github.com/acme/shop.git"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Branch" error={errors.branch?.message}>
          {(wiring) => <input {...wiring} {...register("branch")} spellCheck={false} />}
        </Field>
      </Form>
    </>
  );
}
