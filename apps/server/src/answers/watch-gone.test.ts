// When a caller that waits need not wait any longer: it may have left before it began to wait.
import { expect, test } from "bun:test";
import { watchGone } from "./watch-gone.ts";

test("a wait ends when its caller disconnects, also if it did before, or when the process ends", async () => {
  const stays = new AbortController().signal;
  const gone = AbortSignal.abort();
  const codeOf = async (client: AbortSignal, end: AbortSignal, change = () => {}) => {
    const { promise, unwatch } = watchGone(client, end);
    change();
    const { code } = await promise;
    unwatch();
    return code;
  };
  expect(await codeOf(gone, stays)).toBe("client_closed_request");
  const client = new AbortController();
  const leave = () => client.abort();
  expect(await codeOf(client.signal, stays, leave)).toBe("client_closed_request");
  const end = new AbortController();
  const shutDown = () => end.abort();
  expect(await codeOf(stays, end.signal, shutDown)).toBe("shutting_down");
});

test("once it is no longer watched, neither a disconnect nor the end of the process resolves it", async () => {
  const [client, end] = [new AbortController(), new AbortController()];
  const { promise, unwatch } = watchGone(client.signal, end.signal);
  unwatch();
  client.abort();
  end.abort();
  expect(await Promise.race([promise, Bun.sleep(0)])).toBeUndefined();
});
