// What the navigation offers, in its order.
import {
  Bot,
  Building2,
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

export type Place = {
  to: string;
  name: string;
  icon: LucideIcon;
  keys?: string;
  /** Only for operators of the installation. */
  forOperators?: true;
};
type Group = { group: string; places: Place[] };

const PLACES: Group[] = [
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
      { to: "/fleet", name: "Fleet", icon: Server, keys: "g f", forOperators: true },
      { to: "/organizations", name: "Organizations", icon: Building2, keys: "g o", forOperators: true },
      { to: "/settings", name: "Settings", icon: Settings, keys: "g t" },
    ],
  },
];

/** What a phone shows at its bottom edge; the rest is in the drawer. */
export const PHONE_PLACES = ["/sessions", "/approvals", "/grants"];

/** Those that are offered to a user. One that is not can still be opened by its address, and says why it is empty. */
export const placesFor = (operates: boolean): Group[] =>
  PLACES.map(({ group, places }) => ({
    group,
    places: places.filter(({ forOperators }) => operates || !forOperators),
  }));

export const allPlaces = (groups: Group[]): Place[] => groups.flatMap(({ places }) => places);
