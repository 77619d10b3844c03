// Times in words.
import { useEffect, useState } from "react";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });

export function relative(at: number, now: number): string {
  const distance = at - now;
  if (Math.abs(distance) < 45_000) return distance > 0 ? "in a moment" : "just now";
  for (const [unit, length] of UNITS) {
    if (Math.abs(distance) >= length * 0.95 || unit === "minute") {
      return words.format(Math.round(distance / length), unit);
    }
  }
  return "";
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  const [whole, unit, rest, part] =
    minutes < 60
      ? [minutes, "min", Math.floor((ms % 60_000) / 1_000), "s"]
      : [Math.floor(minutes / 60), "h", minutes % 60, "min"];
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${part}`;
}

/** What is left on a clock, as m:ss. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The time now, again every so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
