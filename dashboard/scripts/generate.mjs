// Types of the API, from the committed reference file. `--check` compares instead. Those of the live protocol are
// taken from docs/reference as they are (src/api/live.ts).
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const header = "// Generated from docs/reference; `npm run generate` writes it.\n";

const wanted = {
  "../src/api/schema.d.ts": async () =>
    astToString(await openapiTS(new URL("../../docs/reference/openapi.json", import.meta.url))),
};

const check = process.argv.includes("--check");
let stale = 0;
for (const [path, make] of Object.entries(wanted)) {
  const text = header + (await make());
  const committed = await readFile(at(path), "utf8").catch(() => "");
  if (committed === text) continue;
  if (check) {
    console.error(`${path.slice(3)}: different from docs/reference; run \`npm run generate\` in dashboard/`);
    stale += 1;
  } else await writeFile(at(path), text);
}
process.exitCode = stale ? 1 : 0;
