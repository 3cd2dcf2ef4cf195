// A tooltip stays while the pointer is on it, and goes with the pointer, with Escape and with the focus.
import { expect, test } from "bun:test";
import { fireEvent, render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { Tooltip } from "./tooltip.tsx";

const tip = () => screen.queryByRole("tooltip");

test("the pointer may move from the text to its tooltip, and leaves both to close it", () => {
  render(() => <Tooltip text="$0.0000045">$0.00</Tooltip>);
  const anchor = screen.getByText("$0.00");
  fireEvent.pointerEnter(anchor);
  const shown = screen.getByRole("tooltip");
  fireEvent.pointerLeave(anchor, { relatedTarget: shown });
  expect(tip()).not.toBeNull();
  const around = shown.parentElement ?? shown;
  fireEvent.pointerLeave(around, { relatedTarget: anchor });
  expect(tip()).not.toBeNull();
  fireEvent.pointerLeave(around, { relatedTarget: document.body });
  expect(tip()).toBeNull();
});

test("Escape closes it while the focus stays", async () => {
  render(() => <Tooltip text="exact">short</Tooltip>);
  const user = userEvent.setup();
  await user.tab();
  expect(tip()?.textContent).toBe("exact");
  await user.keyboard("{Escape}");
  expect(tip()).toBeNull();
  expect(document.activeElement?.textContent).toBe("short");
});
