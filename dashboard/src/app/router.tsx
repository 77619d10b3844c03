// Every address of the dashboard. A screen is loaded when it is first opened.
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { NotFound } from "./NotFound";
import { requireMe } from "./requireMe";
import { ScreenFailure } from "./ScreenFailure";
import { Shell } from "./Shell";
import { Starting } from "./Starting";

type Screen = () => Promise<{ default: React.ComponentType }>;
const screen = (path: string, load: Screen): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
  errorElement: <ScreenFailure />,
});

export const router = createBrowserRouter([
  { ...screen("/login", () => import("@/screens/login")), hydrateFallbackElement: <Starting /> },
  { ...screen("/shared", () => import("@/screens/shared")), hydrateFallbackElement: <Starting /> },
  { ...screen("/invite", () => import("@/screens/invite")), hydrateFallbackElement: <Starting /> },
  { ...screen("/setup", () => import("@/screens/setup")), hydrateFallbackElement: <Starting /> },
  {
    element: <Shell />,
    loader: requireMe,
    hydrateFallbackElement: <Starting />,
    errorElement: <ScreenFailure />,
    children: [
      { index: true, element: <Navigate to="/sessions" replace /> },
      screen("/sessions", () => import("@/screens/sessions")),
      screen("/sessions/new", () => import("@/screens/sessions/new")),
      screen("/sessions/:id", () => import("@/screens/session")),
      screen("/approvals", () => import("@/screens/approvals")),
      screen("/grants", () => import("@/screens/grants")),
      screen("/connectors/*", () => import("@/screens/connectors")),
      screen("/configurations/*", () => import("@/screens/configurations")),
      screen("/secrets/*", () => import("@/screens/secrets")),
      screen("/automations/*", () => import("@/screens/automations")),
      screen("/policy/*", () => import("@/screens/policy")),
      screen("/audit/*", () => import("@/screens/audit")),
      screen("/fleet/*", () => import("@/screens/fleet")),
      screen("/organizations", () => import("@/screens/organizations")),
      screen("/settings/*", () => import("@/screens/settings")),
      screen("/device", () => import("@/screens/device")),
      { path: "*", element: <NotFound /> },
    ],
  },
]);
