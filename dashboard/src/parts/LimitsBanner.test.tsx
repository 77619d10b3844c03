import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/api/client";
import { LimitsBanner } from "./LimitsBanner";

afterEach(() => vi.restoreAllMocks());

function shown(spent: number) {
  const limits = {
    inForce: { spendDayMicroUsd: 10_000_000, spendMonthMicroUsd: null },
    used: { spendDayMicroUsd: spent, spendMonthMicroUsd: spent },
  };
  const get = vi.spyOn(api, "GET").mockResolvedValue({ data: limits } as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <LimitsBanner />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return get;
}

const words = async () => (await screen.findByRole("status")).textContent;

it("says nothing while less than four fifths are spent", async () => {
  const get = shown(7_900_000);
  await waitFor(() => expect(get).toHaveBeenCalled());
  expect(screen.queryByRole("status")).toBeNull();
});

it("says how much of the limit is spent, and where to look", async () => {
  shown(8_000_000);
  expect(await words()).toContain("The organization has spent $8.00 of $10.00 on models today.");
  expect(screen.getByRole("link").getAttribute("href")).toBe("/settings?tab=limits");
});

it("says that sessions rest when it is spent, and until when", async () => {
  shown(10_000_000);
  expect(await words()).toContain("its sessions rest until the next day begins (UTC)");
});
