import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { reloadWhenAPieceIsMissing } from "@/app/pieces";
import { queryClient } from "@/app/query";
import { router } from "@/app/router";
import { applyTheme } from "@/app/theme";
import { Toasts } from "@/ui/Toast";
import "@/styles/base.css";

applyTheme();
reloadWhenAPieceIsMissing(router);
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
