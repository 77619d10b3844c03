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
