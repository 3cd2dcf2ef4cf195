// Toasts as people and screen readers perceive them: announced politely, few at a time, and gone
// automatically unless someone is reading them.
import { afterEach, beforeAll, expect, test } from "bun:test";
import { fireEvent, render, screen, waitFor } from "@solidjs/testing-library";
import { prepareToasts, showToast, Toasts } from "./toasts.tsx";

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
afterEach(() => {
  Object.assign(globalThis, real);
});

/** Holds the timers of toasts (5 to 8 s) until the test fires them; all others run as usual. */
function holdTimers() {
  const held = new Map<number, { readonly run: () => void; readonly delayMs: number }>();
  let lastId = -1;
  const hold = (run: () => void, delayMs = 0) => {
    if (delayMs < 5_000 || delayMs > 8_000) return real.setTimeout(run, delayMs);
    lastId -= 1;
    held.set(lastId, { run, delayMs });
    return lastId;
  };
  const release = (id: number) => {
    if (!held.delete(id)) real.clearTimeout(id);
  };
  Object.assign(globalThis, {
    setTimeout: Object.assign(hold, real.setTimeout),
    clearTimeout: release,
  });
  return {
    delays: () => [...held.values()].map(({ delayMs }) => delayMs),
    fire: () => {
      for (const { run } of [...held.values()]) run();
    },
  };
}

/** Happy-dom starts no animation, so none ends; the primitive would wait for it before it removes a toast. */
beforeAll(() => {
  const style = document.createElement("style");
  style.textContent = "li { animation-name: none }";
  document.head.append(style);
});

const region = () => screen.findByRole("region", { name: "Notifications" });
const toasts = () => screen.queryAllByRole("listitem").map((item) => item.textContent);

test("the region that announces politely is there before the first toast", async () => {
  render(() => <Toasts />);
  prepareToasts();
  const announcer = await region();
  expect(announcer.getAttribute("aria-live")).toBe("polite");
  showToast("Saved");
  const toast = await screen.findByText("Saved");
  expect(announcer.contains(toast)).toBe(true);
  // Announced once: the toast inside is not an assertive region itself.
  expect(toast.closest("[aria-live=assertive]")).toBeNull();
});

test("a toast ends by itself after 6 s, one with an action after 8 s", async () => {
  const timers = holdTimers();
  render(() => <Toasts />);
  await region();
  showToast("Saved");
  await screen.findByText("Saved");
  showToast({ text: "Disabled ci", action: { label: "Undo", run: () => undefined } });
  await screen.findByText("Disabled ci");
  expect(timers.delays()).toEqual([6_000, 8_000]);
  timers.fire();
  await waitFor(() => expect(toasts()).toEqual([]));
});

test("at most three show at once; the next one replaces one that ended", async () => {
  render(() => <Toasts />);
  await region();
  for (const text of ["one", "two", "three", "four"]) showToast(text);
  await waitFor(() => expect(toasts()).toEqual(["one", "two", "three"]));
  fireEvent.click(screen.getAllByRole("button", { name: "Dismiss" })[0] ?? document.body);
  await waitFor(() => expect(toasts()).toEqual(["two", "three", "four"]));
});

test("the pointer or the focus on a toast pauses its timer, and leaving resumes it", async () => {
  const timers = holdTimers();
  render(() => <Toasts />);
  await region();
  showToast("Saved");
  const toast = await screen.findByText("Saved");
  const list = toast.closest("ol") ?? document.body;
  fireEvent.pointerMove(toast);
  await waitFor(() => expect(timers.delays()).toEqual([]));
  fireEvent.pointerLeave(list);
  await waitFor(() => expect(timers.delays()).toHaveLength(1));
  screen.getByRole("button", { name: "Dismiss" }).focus();
  await waitFor(() => expect(timers.delays()).toEqual([]));
});

test("an action runs once and ends its toast, and later toasts still end by themselves", async () => {
  const timers = holdTimers();
  render(() => <Toasts />);
  await region();
  let undone = 0;
  const action = { label: "Undo", run: () => (undone += 1) };
  showToast({ text: "Disabled ci", action });
  const undo = await screen.findByRole("button", { name: "Undo" });
  undo.focus();
  await waitFor(() => expect(timers.delays()).toEqual([]));
  fireEvent.click(undo);
  await waitFor(() => expect(toasts()).toEqual([]));
  expect(undone).toBe(1);
  showToast("Saved");
  await screen.findByText("Saved");
  await waitFor(() => expect(timers.delays()).toContain(6_000));
});

test("a failure is not marked as a success", async () => {
  render(() => <Toasts />);
  await region();
  showToast("Saved");
  showToast({ text: "We couldn't sign you out.", isError: true });
  const marks = async (text: string) => {
    const item = (await screen.findByText(text)).closest("li");
    return [
      item?.querySelectorAll("svg.text-success").length,
      item?.querySelectorAll("svg.text-danger").length,
    ];
  };
  expect(await marks("Saved")).toEqual([1, 0]);
  expect(await marks("We couldn't sign you out.")).toEqual([0, 1]);
});
