import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router";
import { z } from "zod";
import { api, body, newKey } from "@/api/client";
import { escapeLine } from "@/lib/visible";
import { create } from "@/screens/sessions/create";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Note } from "@/ui/Note";
import css from "./setup.module.css";

const shape = z.object({
  prompt: z
    .string()
    .trim()
    .min(1, "Say what the agent should do.")
    .max(100_000, "That is too long for a prompt."),
});

/** The last step: the setup session works; a first task begins from what it saves. */
export function FirstTask() {
  const [search] = useSearchParams();
  const configuration = search.get("configuration") ?? "";
  const session = search.get("session") ?? "";
  const snapshots = useQuery({
    queryKey: ["configurations", configuration, "snapshots"],
    queryFn: () =>
      body(api.GET("/v1/configurations/{id}/snapshots", { params: { path: { id: configuration } } })),
    enabled: configuration !== "",
    refetchInterval: ({ state }) => (state.data && state.data.items.length > 0 ? false : 5_000),
  });
  const setup = useQuery({
    queryKey: ["setup-session", session],
    queryFn: () => body(api.GET("/v1/sessions/{id}", { params: { path: { id: session } } })),
    enabled: session !== "",
    refetchInterval: 5_000,
  });
  const isReady = (snapshots.data?.items.length ?? 0) > 0;
  const failure = setup.data?.status === "failed" ? (setup.data.reason ?? "It failed.") : null;
  const navigate = useNavigate();
  const key = useRef(newKey());
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(shape),
    defaultValues: { prompt: "" },
  });
  const begin = useMutation({
    mutationFn: ({ prompt }: z.infer<typeof shape>) => {
      const place = `configuration:${configuration}`;
      const values = {
        prompt,
        title: "",
        place,
        model: "",
        type: "coding" as const,
        visibility: "organization" as const,
        integrations: [],
      };
      return create(values, null, key.current);
    },
    onSuccess: (id) => navigate(`/sessions/${id}`),
    onError: () => {
      key.current = newKey();
    },
  });
  return (
    <>
      <Standing isReady={isReady} failure={failure} session={session} />
      <Form
        error={begin.error}
        onSubmit={handleSubmit((values) => begin.mutate(values))}
        foot={
          <>
            <Button kind="primary" type="submit" busy={begin.isPending}>
              Begin the first task
            </Button>
            <Link to="/sessions">Later</Link>
          </>
        }
      >
        <Field label="What should the agent do?" error={formState.errors.prompt?.message}>
          {(wiring) => (
            <textarea
              {...wiring}
              {...register("prompt")}
              rows={5}
              placeholder="Explain how this repository is built."
            />
          )}
        </Field>
      </Form>
      <p className={css.lead}>
        Invite others under <Link to="/settings?tab=members">Settings, Members</Link>.
      </p>
    </>
  );
}

/** How far the setup session is. */
function Standing({
  isReady,
  failure,
  session,
}: {
  isReady: boolean;
  failure: string | null;
  session: string;
}) {
  const link = (
    <Link to={`/sessions/${session}`} target="_blank">
      Open the setup session
    </Link>
  );
  if (isReady)
    return (
      <Note tone="good" title="The repository is set up.">
        <p>The setup session saved a snapshot, from which the first task starts. {link}</p>
      </Note>
    );
  if (failure !== null)
    return (
      <Note tone="bad" title="The setup session failed.">
        <p>
          {escapeLine(failure)} The first task can begin all the same, without what it was to prepare. {link}
        </p>
      </Note>
    );
  return (
    <Note title="The setup session has begun.">
      <p>
        Watch it, and answer what it asks. The first task can begin now, without what it prepares, or once it
        has saved a snapshot. {link}
      </p>
    </Note>
  );
}
