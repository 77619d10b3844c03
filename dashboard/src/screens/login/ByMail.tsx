import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api } from "@/api/client";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import css from "./login.module.css";

const shape = z.object({ email: z.string().trim().min(3, "Give the address that you are a member with.") });

/** Asks for a link by mail. Whether a member has the address is not told here. */
export function ByMail() {
  const [error, setError] = useState<unknown>(null);
  const [asked, setAsked] = useState(false);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { email: "" },
  });
  const { errors, isSubmitting } = formState;
  const ask = handleSubmit(async ({ email }) => {
    setError(null);
    setAsked(false);
    try {
      await api.POST("/v1/login/mail", { body: { email } });
      setAsked(true);
    } catch (problem) {
      setError(problem);
    }
  });
  return (
    <Form
      onSubmit={ask}
      error={error}
      foot={
        <Button kind="primary" type="submit" busy={isSubmitting} className={css.go}>
          Mail me a link
        </Button>
      }
    >
      <Field label="Address of mail" error={errors.email?.message}>
        {(wiring) => <input {...wiring} {...register("email")} type="email" autoComplete="email" />}
      </Field>
      {asked && (
        <Note>
          If a member has this address, a mail with a link is on its way. Open it in this browser within 15
          minutes.
        </Note>
      )}
    </Form>
  );
}
