// A program for idle-timer.test.ts, which starts it with a short idle timer of the runtime: asks an upstream
// that is silent until a plain `fetch` has run into that timer, and prints how both requests ended.
import { post } from "./post.ts";

const silence = Promise.withResolvers<void>();
const server = Bun.serve({
  port: 0,
  idleTimeout: 0,
  fetch: () => silence.promise.then(() => new Response("answered")),
});
const { signal } = new AbortController();
const tell = (asked: Promise<Response>) =>
  asked.then(
    (response) => response.text(),
    ({ name }: Error) => name,
  );
const ours = tell(post(server.url.href, new Headers(), "{}", signal));
const plain = await tell(fetch(server.url, { method: "POST", body: "{}" }));
silence.resolve();
console.log(JSON.stringify({ plain, ours: await ours }));
await server.stop(true);
