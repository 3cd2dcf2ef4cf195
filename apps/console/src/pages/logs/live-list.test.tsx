// What pauses the live list, and how it says what it does not show.
import { expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { openLogs, pageOf, row } from "./open-logs.fixture.tsx";

const shownIds = () =>
  [...document.querySelectorAll<HTMLElement>("tr[data-row]")].map((one) => one.dataset.row);

const focusedRow = () => document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;

const table = () => screen.findByRole("table", { name: "Requests, newest first" });

/** Opens the live list with one request; `arrive` adds one row, of as many new ones as given. */
async function openLive(path = "/logs?live=1") {
  const rows = [row("gen-1")];
  let newer = 0;
  const { api, user } = openLogs(path, pageOf());
  let isCounted = false;
  api.answer("logs.list", (input) => {
    isCounted = Object(input).newerThan !== undefined;
    return { data: { ...pageOf(...rows), newer: isCounted ? newer : null } };
  });
  await table();
  await screen.findByText("Live", { selector: "[role=status]" });
  await waitFor(() => {
    window.dispatchEvent(new Event("visibilitychange"));
    expect(isCounted).toBe(true);
  });
  return {
    user,
    arrive(count: number) {
      newer = count;
      rows.unshift(row(`gen-${rows.length + 1}`));
      window.dispatchEvent(new Event("visibilitychange"));
    },
  };
}

test("requests that are left out are counted, and listed elsewhere", async () => {
  const live = await openLive("/logs?live=1&models=m%2Fone");
  live.arrive(300);
  await screen.findByText("299 left out, too fast to read.", { exact: false });
  expect(shownIds()).toEqual(["gen-2", "gen-1"]);
  const all = screen.getByRole("link", { name: "View all" });
  expect(all.getAttribute("href")).toBe("/logs?models=m%2Fone");
});

test("no row moves under the pointer, and one click shows what has arrived", async () => {
  const { user, ...live } = await openLive();
  await user.hover(await table());
  await screen.findByText("Paused while you read");
  live.arrive(1);
  await screen.findByRole("button", { name: "1 new request" });
  live.arrive(501);
  const fresh = await screen.findByRole("button", { name: "500+ new requests" });
  expect(shownIds()).toEqual(["gen-1"]);
  await user.click(fresh);
  await waitFor(() => expect(shownIds()).toEqual(["gen-3", "gen-2", "gen-1"]));
  await screen.findByText("499 left out, too fast to read.", { exact: false });
});

test("the list does not move while it has the focus, and counts new requests", async () => {
  const { user, ...live } = await openLive();
  await user.keyboard("j");
  live.arrive(1);
  const fresh = await screen.findByRole("button", { name: "1 new request" });
  expect(shownIds()).toEqual(["gen-1"]);
  expect(focusedRow()).toBe("gen-1");
  await user.click(fresh);
  await waitFor(() => expect(shownIds()).toEqual(["gen-2", "gen-1"]));
});

test("Pause keeps the list as it is until Resume", async () => {
  const { user, ...live } = await openLive();
  await user.click(screen.getByRole("button", { name: "Pause" }));
  live.arrive(2);
  await screen.findByRole("button", { name: "2 new requests" });
  expect(shownIds()).toEqual(["gen-1"]);
  await user.click(screen.getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(shownIds()).toEqual(["gen-2", "gen-1"]));
});
