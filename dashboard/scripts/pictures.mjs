// Takes the pictures of the README from the last run in the browser.
import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PICTURES = ["decision-light", "ledger-dark", "inbox-phone"];

await mkdir(at("../../docs/images"), { recursive: true });
for (const name of PICTURES) {
  await copyFile(at(`../e2e/output/screens/${name}.png`), at(`../../docs/images/${name}.png`));
}
