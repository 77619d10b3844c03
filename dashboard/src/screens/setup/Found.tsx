import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router";
import { z } from "zod";
import { api, body } from "@/api/client";
import { Answer } from "@/ui/Answer";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import css from "./setup.module.css";

const shape = z.object({
  organizationName: z.string().trim().min(1, "Name the organization.").max(100, "At most 100 characters."),
  ownerName: z.string().trim().min(1, "Give your name.").max(100, "At most 100 characters."),
  ownerEmail: z.email("A mail address such as ada@example.com."),
});
type Values = z.infer<typeof shape>;

/** The first step: the organization and its owner. Uses the link up. */
export function Found({ code }: { code: string }) {
  const link = useQuery({
    queryKey: ["setup", code],
    queryFn: () => body(api.POST("/v1/setup/inspect", { body: { code } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Answer of={link} what="Looking at the link">
      {({ valid, reason }) =>
        valid ? (
          <Organization code={code} />
        ) : (
          <Note tone="warn" title="This link cannot be used.">
            <p>{reason}</p>
            <p>
              <Link to="/login">Sign in</Link>
            </p>
          </Note>
        )
      }
    </Answer>
  );
}

function Organization({ code }: { code: string }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { register, handleSubmit, formState } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: { organizationName: "", ownerName: "", ownerEmail: "" },
  });
  const found = useMutation({
    mutationFn: (values: Values) => body(api.POST("/v1/setup", { body: { code, ...values } })),
    onSuccess: async () => {
      client.clear();
      // Without the code, which is used up.
      await navigate("/setup?step=checks", { replace: true });
    },
  });
  const { errors } = formState;
  return (
    <>
      <p className={css.lead}>
        This installation has no organization yet. You make the first one and become its owner; its admins
        operate the installation.
      </p>
      <Form
        error={found.error}
        onSubmit={handleSubmit((values) => found.mutate(values))}
        foot={
          <Button kind="primary" type="submit" busy={found.isPending}>
            Make the organization
          </Button>
        }
      >
        <Field label="Organization" error={errors.organizationName?.message}>
          {(wiring) => (
            <input
              {...wiring}
              {...register("organizationName")}
              autoComplete="organization"
              placeholder="Acme"
            />
          )}
        </Field>
        <Field label="Your name" error={errors.ownerName?.message}>
          {(wiring) => <input {...wiring} {...register("ownerName")} autoComplete="name" />}
        </Field>
        <Field
          label="Your mail address"
          hint="By it you are recognized when you sign in with an identity provider."
          error={errors.ownerEmail?.message}
        >
          {(wiring) => <input {...wiring} {...register("ownerEmail")} type="email" autoComplete="email" />}
        </Field>
      </Form>
    </>
  );
}
