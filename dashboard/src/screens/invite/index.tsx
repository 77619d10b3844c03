import { zodResolver } from "@hookform/resolvers/zod";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import { z } from "zod";
import { api, body, type Schemas } from "@/api/client";
import { meQuery } from "@/api/me";
import { linkCode } from "@/lib/linkCode";
import { escapeLine } from "@/lib/visible";
import css from "@/screens/login/login.module.css";
import { ONE } from "@/screens/settings/roles";
import { Button } from "@/ui/Button";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Loading } from "@/ui/Loading";
import { Note } from "@/ui/Note";
import { RelativeTime } from "@/ui/RelativeTime";

type Offer = Schemas["InvitationOffer"];

/** Where the link of an invitation leads: its holder joins, without an account before. */
export default function InviteScreen() {
  const code = linkCode(useLocation());
  const offer = useQuery({
    queryKey: ["invitation", code],
    queryFn: () => body(api.POST("/v1/invitations/inspect", { body: { code: code ?? "" } })),
    enabled: code !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <main className={css.screen}>
      <div className={css.box}>
        <img src="/favicon.svg" alt="" width="40" height="40" />
        {code === null && (
          <>
            <h1>This link is not complete</h1>
            <p className={css.lead}>Copy the whole link of the invitation into the address bar.</p>
          </>
        )}
        {code !== null && offer.isPending && <Loading what="Looking for the invitation" />}
        {offer.error && (
          <>
            <h1>This invitation cannot be accepted</h1>
            <Failure error={offer.error} />
          </>
        )}
        {code !== null && offer.data && <Accept code={code} offer={offer.data} />}
      </div>
    </main>
  );
}

function Accept({ code, offer }: { code: string; offer: Offer }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [asNew, setAsNew] = useState(false);
  const me = useQuery({ ...meQuery, retry: false });
  const accept = async (person: { name?: string; email?: string }) => {
    setError(null);
    try {
      await api.POST("/v1/invitations/accept", { body: { code, ...person } });
      client.clear();
      await navigate("/sessions", { replace: true });
    } catch (problem) {
      setError(problem);
    }
  };
  const user = me.data?.kind === "user" ? me.data : null;
  return (
    <>
      <h1>Join {escapeLine(offer.organizationName)}</h1>
      <p className={css.lead}>
        You are invited as {ONE[offer.role]}
        {offer.email && <> with the address {escapeLine(offer.email)}</>}. The invitation ends{" "}
        <RelativeTime at={offer.expiresAt} />, and can be accepted once.
      </p>
      {me.isPending && <Loading what="Looking whether you are signed in" />}
      {user && !asNew && (
        <>
          <Note>
            You are signed in as {escapeLine(user.name ?? "")} ({escapeLine(user.email ?? "")}). This browser
            is signed in to {escapeLine(offer.organizationName)} afterwards.
          </Note>
          {error !== null && <Failure error={error} />}
          <SignedIn name={escapeLine(user.name ?? "this user")} join={() => accept({})} />
          <Button
            className={css.go}
            onClick={() => {
              setError(null);
              setAsNew(true);
            }}
          >
            Join as another user
          </Button>
        </>
      )}
      {!me.isPending && (!user || asNew) && <AsNewUser offer={offer} error={error} join={accept} />}
    </>
  );
}

function SignedIn({ name, join }: { name: string; join: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      kind="primary"
      className={css.go}
      busy={busy}
      onClick={async () => {
        setBusy(true);
        await join();
        setBusy(false);
      }}
    >
      Join as {name}
    </Button>
  );
}

type NewUser = {
  offer: Offer;
  error: unknown;
  join: (person: { name?: string; email?: string }) => Promise<void>;
};

function AsNewUser({ offer, error, join }: NewUser) {
  const shape = z.object({
    name: offer.isMailed
      ? z.string().trim().max(100, "At most 100 characters.")
      : z.string().trim().min(1, "Say how others call you.").max(100, "At most 100 characters."),
    email: z.string().trim().min(3, "Give your address of mail."),
  });
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { name: "", email: offer.email ?? "" },
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form
      error={error}
      onSubmit={handleSubmit(({ name, email }) => join({ ...(name && { name }), email }))}
      foot={
        <Button kind="primary" type="submit" busy={isSubmitting} className={css.go}>
          Join
        </Button>
      }
    >
      <Field
        label="Your name"
        optional={offer.isMailed}
        hint={
          offer.isMailed
            ? "Not needed if you have a user with this address: you join as that user."
            : "Other members see it."
        }
        error={errors.name?.message}
      >
        {(wiring) => <input {...wiring} {...register("name")} autoComplete="name" />}
      </Field>
      <Field label="Your address of mail" error={errors.email?.message}>
        {(wiring) => (
          <input
            {...wiring}
            {...register("email")}
            type="email"
            autoComplete="email"
            readOnly={offer.email !== undefined}
          />
        )}
      </Field>
    </Form>
  );
}
