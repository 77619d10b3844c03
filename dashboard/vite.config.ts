import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Where a gateway runs while the dashboard is worked on: `npm run dev` serves the pages, the gateway the rest.
const gateway = process.env.PROLIFERATE_URL ?? "http://127.0.0.1:7717";
const ofTheGateway = ["/v1", "/proliferate", "/login/dev", "/health", "/ready", "/errors", "/openapi.json"];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // The reference of the gateway is beside this folder.
  server: {
    fs: { allow: [".."] },
    proxy: Object.fromEntries(ofTheGateway.map((path) => [path, { target: gateway, ws: true }])),
  },
  build: {
    // Inlined pictures and polyfills would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Says what a first visit loads, see scripts/compress.mjs.
    manifest: true,
    target: "es2022",
    // The app, and the reference of the API.
    rolldownOptions: { input: ["index.html", "docs.html"] },
    // In KB: Swagger UI is one file. scripts/compress.mjs bounds what a first visit to the app loads.
    chunkSizeWarningLimit: 1_600,
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    // One environment for all files: a new one for each took three quarters of their time.
    isolate: false,
    // They run beside a build that leaves no processor idle.
    testTimeout: 30_000,
  },
});
