import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { LockBanner } from "./LockBanner";

afterEach(() => vi.restoreAllMocks());

function shown(lock: object) {
  const get = vi.spyOn(api, "GET").mockResolvedValue({ data: lock } as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <LockBanner />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return get;
}

const words = async () => (await screen.findByRole("status")).textContent;

it("says nothing while calls pass", async () => {
  const get = shown({ engaged: false, installation: false, lock: null, lifted: [] });
  await waitFor(() => expect(get).toHaveBeenCalled());
  expect(screen.queryByRole("status")).toBeNull();
});

it("says that calls are denied, what passes, and where to look", async () => {
  shown({ engaged: true, installation: false, lock: {}, lifted: [{}] });
  expect(await words()).toContain("The safety lock is on: every call is denied");
  expect(await words()).toContain("but for those in 1 lane");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/policy?tab=lock");
});

it("says that it is an operator's lock, out of which nothing is lifted", async () => {
  shown({ engaged: true, installation: true, lock: {}, lifted: [{}] });
  expect(await words()).toContain("An operator has locked the whole installation");
  expect(await words()).not.toContain("but for");
});
