// The changes of the audit log as its page shows them.
import { expect, test } from "bun:test";
import { screen } from "@solidjs/testing-library";
import { config } from "../../../test/answer-api.fixture.ts";
import { openApp } from "../../../test/open-app.fixture.tsx";

const row = (id: string, action: string, changes: object) => ({
  id,
  action,
  changes,
  at: "2026-11-12T14:03:00.000Z",
  address: "203.0.113.1",
  actorKind: "person",
  actor: "ada@example.com",
  objectId: null,
  objectName: "",
});
const rows = [
  row("3", "member.set_projects", { projects: ["all", "p1"] }),
  row("2", "domain.require", { provider: [null, "acme"] }),
  row("1", "budget.set", { limitUsd: ["5", "5"], effect: ["tells", "tells"] }),
];
const project = {
  id: "p1",
  name: "Search",
  createdAt: "2026-11-01T00:00:00.000Z",
  archivedAt: null,
  liveKeys: 0,
  promptDays: null,
  redactsPrompts: true,
  responseHours: null,
};

test("what changed is named as it is elsewhere, and what stayed is left out", async () => {
  openApp("/settings/audit-log", {
    "config.public": () => ({
      data: { ...config().data, signInProviders: [{ id: "acme", name: "Acme ID" }] },
    }),
    "projects.list": () => ({ data: [project] }),
    "audit.list": () => ({ data: { rows, nextCursor: null } }),
    "audit.retention": () => ({ data: { days: null } }),
  });
  await screen.findByText("Projects: from All projects to Search");
  screen.getByText("Sign-in: Only with Acme ID");
  const unchanged = screen.getByText("budget.set").closest("tr");
  expect(unchanged?.lastElementChild?.textContent).toBe("—");
});
