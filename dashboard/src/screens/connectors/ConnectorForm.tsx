import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { Controller, useForm, useWatch } from "react-hook-form";
import { api, body, type Schemas } from "@/api/client";
import { useMay } from "@/parts/may";
import { SecretPicker } from "@/parts/SecretPicker";
import { Button } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { Field } from "@/ui/Field";
import { Form } from "@/ui/Form";
import { Diagnosis } from "./Diagnosis";
import { FIELD_OF, HELP, shape, toRequest, type Values } from "./form";

type Props = {
  id: string;
  values: Values;
  overrides?: Schemas["RiskPolicy"]["overrides"];
  verb: string;
  save: (request: ReturnType<typeof toRequest>) => Promise<unknown>;
};

/** What a connector is sent and how far it is trusted; it can be tried out before it is saved. */
export function ConnectorForm({ id, values, overrides, verb, save }: Props) {
  const { guard } = useMay();
  const { register, control, handleSubmit, formState } = useForm({ resolver: zodResolver(shape), values });
  const auth = useWatch({ control, name: "auth" });
  const attempt = useMutation({
    mutationFn: (given: Values) =>
      body(
        api.POST("/v1/connectors/validate", { body: { connector: { id, ...toRequest(given, overrides) } } }),
      ),
  });
  const saving = useMutation({ mutationFn: (given: Values) => save(toRequest(given, overrides)) });
  const found = attempt.data?.diagnostics;
  const wrong = (field: "url" | "secretKey") =>
    found && FIELD_OF[found.class] === field ? `${found.message} ${HELP[found.class]}` : undefined;
  const { errors } = formState;
  return (
    <Form
      error={saving.error ?? attempt.error}
      onSubmit={handleSubmit((given) => saving.mutate(given))}
      foot={
        <>
          <Button
            {...guard}
            busy={attempt.isPending}
            onClick={handleSubmit((given) => attempt.mutate(given))}
          >
            Try it out
          </Button>
          <Button {...guard} kind="primary" type="submit" busy={saving.isPending}>
            {verb}
          </Button>
        </>
      }
    >
      <Field label="Name" error={errors.name?.message}>
        {(wiring) => <input {...wiring} {...register("name")} placeholder="Docs" />}
      </Field>
      <Field label="Address" error={errors.url?.message ?? wrong("url")} hint="The URL of the MCP server.">
        {(wiring) => (
          <input {...wiring} {...register("url")} type="url" placeholder="https://mcp.example.com/mcp" />
        )}
      </Field>
      <Field label="How it knows us">
        {(wiring) => (
          <select {...wiring} {...register("auth")}>
            <option value="none">It asks for nothing</option>
            <option value="bearer">A token, as Authorization: Bearer</option>
            <option value="custom_header">A secret in a header of its own</option>
          </select>
        )}
      </Field>
      {auth !== "none" && (
        <Controller
          control={control}
          name="secretKey"
          render={({ field }) => (
            <SecretPicker
              value={field.value}
              onChange={field.onChange}
              error={errors.secretKey?.message ?? wrong("secretKey")}
              disabled={guard.disabled}
            />
          )}
        />
      )}
      {auth === "custom_header" && (
        <Field label="Header" error={errors.headerName?.message}>
          {(wiring) => <input {...wiring} {...register("headerName")} placeholder="X-Api-Key" />}
        </Field>
      )}
      <Field label="Risk of tools about which nothing else is known">
        {(wiring) => (
          <select {...wiring} {...register("defaultRisk")}>
            <option value="">write: needs an approval</option>
            <option value="read">read: they run at once</option>
            <option value="write">write, also where the server says less</option>
            <option value="danger">danger: they are denied</option>
          </select>
        )}
      </Field>
      <Checkbox
        {...register("trusted")}
        label="Trust the server's statement that a tool only reads. Such tools run without an approval."
      />
      <Checkbox {...register("enabled")} label="In use: sessions see its tools." />
      {attempt.data && <Diagnosis found={attempt.data} />}
    </Form>
  );
}
