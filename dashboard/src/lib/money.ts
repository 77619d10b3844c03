import { z } from "zod";

const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const cents = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

/** Millionths of a dollar, as an amount. */
export function money(microUsd: number): string {
  const amount = microUsd / 1_000_000;
  return amount !== 0 && Math.abs(amount) < 1 ? cents.format(amount) : dollars.format(amount);
}

export const count = (value: number): string => new Intl.NumberFormat("en").format(value);

/** An amount of dollars as a user types it, or nothing. */
export const dollarsTyped = z
  .string()
  .trim()
  .regex(/^(\d+(\.\d{1,6})?)?$/, "An amount in dollars, such as 2.50, or nothing.");

/** Millionths of a dollar as a user types them, and back; nothing is `null`. */
export const typed = (microUsd: number | null | undefined): string =>
  microUsd == null ? "" : String(microUsd / 1_000_000);
export const microUsd = (dollars: string): number | null =>
  dollars ? Math.round(Number(dollars) * 1_000_000) : null;
