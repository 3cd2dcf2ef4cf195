// The setup of the tests of one cloud: a server whose catalog names it, with the scripted upstream
// behind it.
import { afterAll, expect } from "bun:test";
import {
  at,
  billCheap,
  readJson,
  startTestServer,
  usdNumber,
  useServer,
} from "../harness/index.ts";
import type { Cloud } from "./start-cloud.ts";

/** For the top of a test file, like `useServer`. */
export async function useCloud(
  cloud: Cloud,
  catalog: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const used = await useServer(
    startTestServer({
      environment,
      catalog(baseUrl) {
        cloud.connect(baseUrl);
        return catalog;
      },
    }),
  );
  afterAll(() => cloud.close());
  return used;
}

/** A whole completion of three tokens, at the price of `test/cheap`. */
export async function expectWholeBilled(answer: Response): Promise<void> {
  const body = await readJson(answer);
  expect([answer.status, at(body, "choices.0.message.content")]).toEqual([200, " tok tok tok"]);
  expect(at(body, "usage.cost")).toBe(usdNumber(billCheap(body.usage)));
}
