import { expect, test } from "vitest";
import { linkCode } from "./linkCode";

test.each([
  ["#code=inv_1", "", "inv_1"],
  ["", "?code=inv_2", "inv_2"],
  ["#code=inv_1", "?code=inv_2", "inv_1"],
  ["#other", "?to=/sessions", null],
  ["", "", null],
])("the code of %j and %j", (hash, search, code) => {
  expect(linkCode({ hash, search })).toBe(code);
});
