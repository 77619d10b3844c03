// Lets the conformance suite load on Node 20, whose `fs` has no `globSync`. The suite needs it only to grade
// SDKs, which is not done here. Use: node --import ./older-node.mjs .../conformance/dist/index.js
import { register } from "node:module";

const shim = `export * from "node:fs"; export { default } from "node:fs";
export const globSync = () => { throw new Error("globSync is not there"); };`;
const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === "fs" && context.parentURL?.includes("/conformance/")) {
    return { url: ${JSON.stringify("data:text/javascript," + encodeURIComponent(shim))}, shortCircuit: true };
  }
  return next(specifier, context);
}`;
register("data:text/javascript," + encodeURIComponent(hooks));
