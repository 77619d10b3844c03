import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body } from "@/api/client";
import type { Source } from "@/api/sources";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";
import css from "./connectors.module.css";
import { GithubAppForm } from "./GithubAppForm";
import type { Integration } from "./queries";

const shape = z.object({
  displayName: z.string().trim().max(100, "At most 100 characters."),
  token: z.string().trim().min(1, "Paste the token."),
});
type Props = { service: Source; again?: Integration; onClose: () => void };

/** Go to the service and say yes, or paste a token of it; and GitHub by an app of the organization's own. */
export function ConnectDialog({ service, again, onClose }: Props) {
  const client = useQueryClient();
  const [byApp, setByApp] = useState(again?.provider === "github-app");
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { displayName: again?.displayName ?? "", token: "" },
  });
  const connected = () => {
    toast.done(`${service.name} is connected.`, "Sessions that begin from now on can use it.");
    onClose();
  };
  const go = useMutation({
    mutationFn: () =>
      body(
        api.POST("/v1/integrations/connect", {
          body: { integrationId: service.id, ...(again ? { reconnect: again.id } : {}) },
        }),
      ),
    // The service redirects the browser to a page of the gateway that says how it went.
    onSuccess: ({ authorizeUrl }) => location.assign(authorizeUrl),
  });
  const paste = useMutation({
    mutationFn: ({ displayName, token }: z.infer<typeof shape>) =>
      again
        ? body(
            api.PATCH("/v1/integrations/{id}", {
              params: { path: { id: again.id } },
              body: { token, status: "active", ...(displayName ? { displayName } : {}) },
            }),
          )
        : body(
            api.POST("/v1/integrations", {
              body: { integrationId: service.id, token, displayName: displayName || null },
            }),
          ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["integrations"] });
      connected();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={again ? `Reconnect ${again.displayName}` : `Connect ${service.name}`}
      lead="Its credentials stay in the gateway, sealed; no agent and no user ever sees them."
    >
      <div className={css.way}>
        <Button kind="primary" busy={go.isPending} onClick={() => go.mutate()}>
          Go to {service.name} and allow it
        </Button>
        {go.error && <Failure error={go.error} />}
      </div>
      {service.app && (
        <div className={css.way}>
          <Button size="s" onClick={() => setByApp(!byApp)}>
            {byApp ? "Use a token instead" : `Use a ${service.name} App instead`}
          </Button>
        </div>
      )}
      {byApp ? (
        <>
          <p className="muted small">
            Or as a {service.name} App of your own:{" "}
            {again
              ? "it becomes a connection of its own, and this one can be disconnected."
              : "agents act as the app."}
          </p>
          <GithubAppForm onDone={connected} onClose={onClose} />
        </>
      ) : (
        <>
          <p className="muted small">Or with a token of the service:</p>
          <Form
            error={paste.error}
            onSubmit={handleSubmit((values) => paste.mutate(values))}
            foot={
              <>
                <Button onClick={onClose}>Back</Button>
                <Button type="submit" busy={paste.isPending}>
                  Connect by token
                </Button>
              </>
            }
          >
            <Field label="Token" error={formState.errors.token?.message}>
              {(wiring) => <input {...wiring} {...register("token")} type="password" autoComplete="off" />}
            </Field>
            <Field label="Name" optional error={formState.errors.displayName?.message}>
              {(wiring) => <input {...wiring} {...register("displayName")} placeholder={service.name} />}
            </Field>
          </Form>
        </>
      )}
    </Dialog>
  );
}
