import { expect, it } from "vitest";
import { allPlaces, PHONE_PLACES, placesFor } from "./places";

const offered = (operates: boolean) => allPlaces(placesFor(operates)).map(({ to }) => to);

it("offers the fleet and the organizations to operators, and everything else to every user", () => {
  expect(offered(true)).toContain("/fleet");
  expect(offered(false)).toEqual(offered(true).filter((to) => to !== "/fleet" && to !== "/organizations"));
  expect(offered(false)).toEqual(expect.arrayContaining(PHONE_PLACES));
});
