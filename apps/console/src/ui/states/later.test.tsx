// Parts of a long page: one a task while the page as the build drew it is shown, all at once without it.
import { afterEach, expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import { createSignal } from "solid-js";
import { Later, somePartWaits, whenNoPartWaits } from "./later.tsx";

afterEach(() => document.getElementById("first-view")?.remove());

const parts = () => screen.queryAllByText(/^part/).map((part) => part.textContent);
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

function drawPage() {
  return render(() => (
    <>
      <Later>
        <p>part 1</p>
        <Later>
          <p>part 1.1</p>
        </Later>
      </Later>
      <Later>
        <p>part 2</p>
      </Later>
    </>
  ));
}

function showFirstView(): void {
  const view = document.createElement("div");
  view.id = "first-view";
  document.body.append(view);
}

test("without a page that the build drew, all parts are drawn at once", () => {
  drawPage();
  expect(parts()).toEqual(["part 1", "part 1.1", "part 2"]);
});

test("while it is shown, each part is drawn in a task of its own, in the order they were made", async () => {
  showFirstView();
  drawPage();
  expect(parts()).toEqual([]);
  const seen: (readonly (string | null)[])[] = [];
  while (parts().length < 3) {
    await nextTask();
    seen.push(parts());
  }
  expect(seen.slice(-3)).toEqual([
    ["part 1"],
    ["part 1", "part 2"],
    ["part 1", "part 1.1", "part 2"],
  ]);
});

test("a part that is not ready has its turn once it is", async () => {
  showFirstView();
  const [ready, setReady] = createSignal(false);
  render(() => (
    <>
      <Later ready={ready()}>
        <p>part 1</p>
      </Later>
      <Later>
        <p>part 2</p>
      </Later>
    </>
  ));
  while (parts().length < 1) await nextTask();
  expect(parts()).toEqual(["part 2"]);
  setReady(true);
  while (parts().length < 2) await nextTask();
  expect(parts()).toEqual(["part 1", "part 2"]);
});

test("the page is whole once no part waits, not even one within another", async () => {
  showFirstView();
  const wholeWith = new Promise((resolve) => whenNoPartWaits(() => resolve(parts())));
  drawPage();
  expect(somePartWaits()).toBe(true);
  expect(await wholeWith).toEqual(["part 1", "part 1.1", "part 2"]);
  expect(somePartWaits()).toBe(false);
});
