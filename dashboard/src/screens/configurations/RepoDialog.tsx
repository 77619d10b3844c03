import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, body } from "@/api/client";
import { useMe } from "@/api/me";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { toast } from "@/ui/Toast";
import { PUSHES, type Repo } from "./queries";

const shape = z
  .object({
    name: z.string().trim().min(1, "Give it a name.").max(200, "At most 200 characters."),
    source: z.enum(["git", "github", "local"]),
    url: z.string().trim(),
    defaultBranch: z.string().trim().min(1, "Name the branch.").max(200, "At most 200 characters."),
    push: z.enum(["never", "branches", "any"]),
  })
  .refine(({ source, url }) => source === "local" || url !== "", {
    path: ["url"],
    message: "Say where git clones it from.",
  });

export function RepoDialog({ repo, onClose }: { repo: Repo | null; onClose: () => void }) {
  const client = useQueryClient();
  const { isAdmin } = useMe();
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: zodResolver(shape),
    defaultValues: {
      name: repo?.name ?? "",
      source: repo?.source ?? "git",
      url: repo?.url ?? "",
      defaultBranch: repo?.defaultBranch ?? "main",
      push: repo?.push ?? "never",
    },
  });
  const save = useMutation({
    mutationFn: (values: z.infer<typeof shape>) => {
      const request = { ...values, url: values.url || null };
      return repo
        ? body(api.PATCH("/v1/repos/{id}", { params: { path: { id: repo.id } }, body: request }))
        : body(api.POST("/v1/repos", { body: request }));
    },
    onSuccess: async ({ name }) => {
      await client.invalidateQueries({ queryKey: ["repos"] });
      toast.done(repo ? `${name} is saved.` : `${name} is added.`);
      onClose();
    },
  });
  const { errors } = formState;
  return (
    <Dialog open onOpenChange={onClose} title={repo ? `Change ${repo.name}` : "Add a repository"}>
      <Form
        error={save.error}
        onSubmit={handleSubmit((values) => save.mutate(values))}
        foot={
          <>
            <Button onClick={onClose}>Back</Button>
            <Button kind="primary" type="submit" busy={save.isPending}>
              {repo ? "Save" : "Add it"}
            </Button>
          </>
        }
      >
        <Field label="Name" error={errors.name?.message}>
          {(wiring) => <input {...wiring} {...register("name")} placeholder="acme/shop" />}
        </Field>
        <Field label="Where the code comes from">
          {(wiring) => (
            <select {...wiring} {...register("source")}>
              <option value="git">Any git server</option>
              <option value="github">GitHub</option>
              <option value="local">This machine</option>
            </select>
          )}
        </Field>
        <Field
          label="Address"
          error={errors.url?.message}
          hint="Without credentials: those come from a connection."
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
        <Field label="Branch" error={errors.defaultBranch?.message}>
          {(wiring) => <input {...wiring} {...register("defaultBranch")} spellCheck={false} />}
        </Field>
        {isAdmin && watch("source") !== "local" && (
          <Field
            label="Agents may push"
            hint="Each push is decided by the policy, done with the connection's credentials, and on record."
          >
            {(wiring) => (
              <select {...wiring} {...register("push")}>
                {Object.entries(PUSHES).map(([push, words]) => (
                  <option key={push} value={push}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
