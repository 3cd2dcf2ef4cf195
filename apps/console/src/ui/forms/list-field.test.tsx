// A list field: choosing, typing, pasting and leaving add; nothing typed is lost.
import { expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { ListField, withPatterns } from "./list-field.tsx";

const ids = ["acme/large", "acme/small", "beta/mini"];

function open(initial = "") {
  const [value, setValue] = createSignal(initial);
  render(() => (
    <ListField
      label="Allowed models"
      value={value()}
      onInput={setValue}
      known={withPatterns(ids)}
    />
  ));
  return { value, user: userEvent.setup(), field: screen.getByRole("combobox") };
}

const options = () => screen.queryAllByRole("option").map((option) => option.textContent);

test("a vendor with several models has a pattern, before the models", () => {
  expect(withPatterns(ids)).toEqual(["acme/*", ...ids]);
});

test("typing narrows the list, arrows and Enter choose, and what is chosen is not offered again", async () => {
  const { value, user, field } = open();
  await user.click(field);
  expect(options()).toEqual(["acme/*", ...ids]);
  await user.keyboard("mini");
  expect(options()).toEqual(["beta/mini"]);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(value()).toBe("beta/mini");
  expect(options()).toEqual(["acme/*", "acme/large", "acme/small"]);
  await user.click(screen.getByRole("option", { name: "acme/*" }));
  expect(value()).toBe("beta/mini\nacme/*");
});

test("what is typed is added by Enter and on leaving, a pasted list at once, and nothing twice", async () => {
  const { value, user, field } = open("acme/large");
  await user.click(field);
  await user.keyboard("other/*{Enter}");
  expect(value()).toBe("acme/large\nother/*");
  await user.paste("beta/mini, acme/large\nacme/small");
  expect(value()).toBe("acme/large\nother/*\nbeta/mini\nacme/small");
  await user.keyboard("last/one");
  await user.tab();
  expect(value()).toEndWith("acme/small\nlast/one");
});

test("entries are removed by their button, and the last one by Backspace", async () => {
  const { value, user, field } = open("acme/large\nacme/small\nbeta/mini");
  await user.click(screen.getByRole("button", { name: "Remove acme/large" }));
  expect(value()).toBe("acme/small\nbeta/mini");
  await user.click(field);
  await user.keyboard("{Backspace}");
  expect(value()).toBe("acme/small");
});

test("Escape closes the list, and only then what is around it", async () => {
  const { user, field } = open();
  let heard = 0;
  const listen = ({ key }: KeyboardEvent) => {
    if (key === "Escape") heard += 1;
  };
  document.addEventListener("keydown", listen);
  try {
    await user.click(field);
    await user.keyboard("{Escape}");
    expect([options(), heard]).toEqual([[], 0]);
    await user.keyboard("{Escape}");
    expect(heard).toBe(1);
  } finally {
    document.removeEventListener("keydown", listen);
  }
});
