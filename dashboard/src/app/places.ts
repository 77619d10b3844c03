// What the navigation offers, in its order.
import {
  Bot,
  FileClock,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Plug,
  Scale,
  Server,
  Settings,
  ShieldCheck,
  SquareStack,
  Ticket,
} from "lucide-react";

export type Place = { to: string; name: string; icon: LucideIcon; keys?: string; admin?: true };

export const PLACES: { group: string; places: Place[] }[] = [
  {
    group: "Work",
    places: [
      { to: "/sessions", name: "Sessions", icon: MessagesSquare, keys: "g s" },
      { to: "/approvals", name: "Approvals", icon: ShieldCheck, keys: "g a" },
      { to: "/grants", name: "Grants", icon: Ticket, keys: "g g" },
      { to: "/automations", name: "Automations", icon: Bot, keys: "g u" },
    ],
  },
  {
    group: "Set up",
    places: [
      { to: "/configurations", name: "Configurations", icon: SquareStack, keys: "g c" },
      { to: "/connectors", name: "Connectors", icon: Plug, keys: "g n" },
      { to: "/secrets", name: "Secrets", icon: KeyRound, keys: "g e" },
    ],
  },
  {
    group: "Prove",
    places: [
      { to: "/policy", name: "Policy", icon: Scale, keys: "g p" },
      { to: "/audit", name: "Audit", icon: FileClock, keys: "g l" },
    ],
  },
  {
    group: "Operate",
    places: [
      { to: "/fleet", name: "Fleet", icon: Server, keys: "g f" },
      { to: "/settings", name: "Settings", icon: Settings, keys: "g t" },
    ],
  },
];

/** What a phone shows at its bottom edge; the rest is in the drawer. */
export const PHONE_PLACES = ["/sessions", "/approvals", "/grants"];
export const allPlaces: Place[] = PLACES.flatMap(({ places }) => places);
