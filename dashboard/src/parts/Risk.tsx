import type { RiskLevel } from "@/api/live";
import { Badge, type Tone } from "@/ui/Badge";

const TONES: Record<RiskLevel, Tone> = { read: "neutral", write: "warn", danger: "bad" };

export const Risk = ({ level }: { level: RiskLevel }) => <Badge tone={TONES[level]}>{level}</Badge>;
