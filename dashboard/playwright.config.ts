import { defineConfig } from "@playwright/test";

// Debian's Chromium: the tests download no browser. One worker: the tests share a gateway, and a machine.
export default defineConfig({
  testDir: "e2e",
  outputDir: "e2e/output/results",
  globalSetup: "./e2e/support/gateway.ts",
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1360, height: 860 },
    // A trace takes more of a processor than the page it is of.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu"],
    },
  },
});
