// Copies of the built files for clients that take them compressed, and a look at what a first visit loads.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
/** Smaller files gain nothing. */
const WORTH_BYTES = 1_024;
/** Script of a first visit, compressed: more is felt on a phone. */
const FIRST_VISIT_BYTES_MAX = 300 * 1_024;

const sizes = new Map();
for (const name of await readdir(dist, { recursive: true })) {
  if (!/\.(js|css|html|svg|json)$/.test(name) || name.startsWith(".vite")) continue;
  const bytes = await readFile(dist + name);
  if (bytes.length < WORTH_BYTES) continue;
  const gzip = gzipSync(bytes, { level: 9 });
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${dist}${name}.gz`, gzip);
  await writeFile(`${dist}${name}.br`, brotliCompressSync(bytes, { params }));
  sizes.set(name, gzip.length);
}

const manifest = JSON.parse(await readFile(`${dist}.vite/manifest.json`, "utf8"));
const loaded = new Set();
const load = (key) => {
  if (loaded.has(key)) return;
  loaded.add(key);
  for (const imported of manifest[key].imports ?? []) load(imported);
};
load("index.html");
load("src/screens/sessions/index.tsx");
const total = [...loaded].reduce((sum, key) => sum + (sizes.get(manifest[key].file) ?? 0), 0);
console.log(`a first visit loads ${Math.round(total / 1_024)} KB of compressed script`);
if (total > FIRST_VISIT_BYTES_MAX) {
  console.error(
    `that is more than ${FIRST_VISIT_BYTES_MAX / 1_024} KB; load what is not needed at first later`,
  );
  process.exitCode = 1;
}
