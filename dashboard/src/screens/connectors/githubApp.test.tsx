import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { GithubAppForm } from "./GithubAppForm";
import { EMPTY, shape, toRequest } from "./githubApp";

const KEY = "-----BEGIN RSA PRIVATE KEY-----\nbm8ga2V5\n-----END RSA PRIVATE KEY-----";
const VALUES = { ...EMPTY, appId: "123456", installationId: "4711", privateKey: `${KEY}\n` };

afterEach(() => vi.restoreAllMocks());

describe("the form of a GitHub App", () => {
  it("asks for an installation by its number, with the whole key", () => {
    expect(toRequest(shape.parse(VALUES))).toEqual({
      integrationId: "github",
      displayName: null,
      githubApp: { appId: "123456", installationId: 4711, privateKey: KEY },
    });
  });

  it.each([
    [{ appId: " " }, "appId"],
    [{ installationId: "" }, "installationId"],
    [{ installationId: "0" }, "installationId"],
    [{ installationId: "https://github.com/settings/installations/4711" }, "installationId"],
    [{ privateKey: "" }, "privateKey"],
    [{ privateKey: "ghp_token" }, "privateKey"],
    [{ privateKey: KEY.split("-----END")[0] }, "privateKey"],
    [{ privateKey: KEY.replace("bm8", "x".repeat(20_000)) }, "privateKey"],
  ])("refuses what cannot be meant: %o", (change, field) => {
    const asked = shape.safeParse({ ...VALUES, ...change });
    expect(asked.error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});

function shown() {
  const onDone = vi.fn();
  const post = vi.spyOn(api, "POST").mockResolvedValue({ data: {}, response: new Response() } as never);
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <GithubAppForm onDone={onDone} onClose={() => {}} />
    </QueryClientProvider>,
  );
  return { onDone, post, container, user: userEvent.setup() };
}

const connect = () => screen.getByRole("button", { name: "Connect the app" });

it("takes the key from a file and never shows it", async () => {
  const { onDone, post, container, user } = shown();
  await user.type(screen.getByLabelText("App ID"), "123456");
  await user.type(screen.getByLabelText("Installation ID"), "4711");
  await user.upload(screen.getByLabelText("Private key file"), new File([KEY], "app.pem"));
  await screen.findByText("The key of app.pem is taken.");
  expect(screen.queryByLabelText("Private key")).toBeNull();
  expect(container.innerHTML).not.toContain("bm8ga2V5");
  await user.click(connect());
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(post).toHaveBeenCalledExactlyOnceWith("/v1/integrations", { body: toRequest(shape.parse(VALUES)) });
});

it("takes a pasted key, and forgets it when it is connected", async () => {
  const { onDone, post, user } = shown();
  await user.click(connect());
  await screen.findByText("The app's page has it.");
  expect(post).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText("App ID"), "123456");
  await user.type(screen.getByLabelText("Installation ID"), "4711");
  const key = screen.getByLabelText<HTMLTextAreaElement>("Private key");
  await user.click(key);
  await user.paste(KEY);
  await user.click(connect());
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(key.value).toBe("");
});
