import { afterAll, expect, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render, waitFor } from "@solidjs/testing-library";
import { createSignal } from "solid-js";
import { lexBounded } from "../../lib/markdown/lex-bounded.ts";
import { ModelMarkdown } from "./model-markdown.tsx";

/** Parses when the test says so; afterwards at once, because the console keeps its worker. */
class HeldWorker {
  static held: (() => void)[] | undefined = [];
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;

  postMessage(text: string): void {
    const read = () => this.onmessage?.({ data: { kind: "read", tokens: lexBounded(text) } });
    if (HeldWorker.held === undefined) queueMicrotask(read);
    else HeldWorker.held.push(read);
  }
}

const { Worker: realWorker } = globalThis;
Object.assign(globalThis, { Worker: HeldWorker });
afterAll(() => {
  Object.assign(globalThis, { Worker: realWorker });
  HeldWorker.held = undefined;
});

test("text that was visible stays visible when a parse arrives that began before it", async () => {
  const [text, setText] = createSignal("word");
  const { container } = render(() => (
    <Router>
      <Route path="*" component={() => <ModelMarkdown text={text()} />} />
    </Router>
  ));
  expect(container.textContent).toBe("word");
  setText("word after **word**");
  expect(container.textContent).toBe("word after **word**");
  const lengths: number[] = [];
  const observer = new MutationObserver(() => lengths.push(container.textContent.length));
  observer.observe(container, { subtree: true, childList: true, characterData: true });
  HeldWorker.held?.shift()?.();
  await waitFor(() => expect(container.querySelector("p")?.textContent).toBe("word"));
  expect(container.textContent).toBe("word after **word**");
  await waitFor(() => expect(HeldWorker.held).toHaveLength(1));
  HeldWorker.held?.shift()?.();
  await waitFor(() => expect(container.textContent).toBe("word after word"));
  observer.disconnect();
  expect(Math.min(...lengths)).toBe("word after word".length);
});
