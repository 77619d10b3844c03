import { expect, test } from "vitest";
import { nameOf } from "./begin";

test.each([
  ["https://github.com/acme/shop.git", [], "acme/shop"],
  ["https://github.com/acme/shop/", [], "acme/shop"],
  ["git@github.com:acme/shop.git", [], "acme/shop"],
  ["https://github.com/acme/shop", ["acme/shop"], "acme/shop-2"],
  ["https://github.com/acme/shop", ["acme/shop", "acme/shop-2"], "acme/shop-3"],
  ["///", [], "repository"],
])("the repository at %s is named after its address", (url, taken, name) => {
  expect(nameOf(url, taken)).toBe(name);
});
