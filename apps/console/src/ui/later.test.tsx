// Parts of a long page: one a task while the page as the build drew it is shown, all at once without it.
import { afterEach, expect, test } from "bun:test";
import { render, screen } from "@solidjs/testing-library";
import { Later } from "./later.tsx";

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

test("a part that is gone before its turn is not drawn, and those after it are", async () => {
  showFirstView();
  const { unmount } = drawPage();
  unmount();
  drawPage();
  while (parts().length < 3) await nextTask();
  expect(parts()).toEqual(["part 1", "part 1.1", "part 2"]);
});
