// Which failures of a row call for new processes.
import { expect, test } from "bun:test";
import type { SideName } from "./bench-options.ts";
import { lacksOurFigures } from "./find-failures.ts";
import { loadFigures, loadRow } from "./rows.fixture.ts";

const failingIn = (side: SideName) => ({
  name: "whole-16" as const,
  load: [
    { side: "bare" as const, title: "bare proxy", figures: loadFigures(1000) },
    { side, title: side, figures: { failed: "the connection was closed" } },
  ],
});

test("the rows after one in which one of ours failed get new processes", () => {
  expect(lacksOurFigures({ name: "logins", failed: "a login was refused" }, [])).toBeTrue();
  expect(lacksOurFigures(failingIn("turnpike-2"), [])).toBeTrue();
  expect(lacksOurFigures(failingIn("turnpike-2"), ["turnpike"])).toBeTrue();
});

test("they keep their processes if only a peer failed, or one of ours that could not be warmed up", () => {
  expect(lacksOurFigures(loadRow("whole-16", 400), [])).toBeFalse();
  expect(lacksOurFigures(failingIn("litellm"), [])).toBeFalse();
  expect(lacksOurFigures(failingIn("turnpike"), ["turnpike"])).toBeFalse();
  const failed = { name: "logins", failed: "Turnpike could not be warmed up" } as const;
  expect(lacksOurFigures(failed, ["turnpike"])).toBeFalse();
});
