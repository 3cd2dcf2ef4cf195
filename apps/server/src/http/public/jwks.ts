// `/.well-known/jwks.json` (RFC 7517): the public keys that verify receipts, for anyone and from any page. Without
// receipts the set is empty.
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerThrown } from "../routes/unknown-url.ts";

const path = "/.well-known/jwks.json";

export function registerJwks(app: Pick<Elysia, "get">, services: Services): void {
  app.get(path, async ({ request }: { request: Request }) => {
    try {
      const keySet = await services.api.receipts.readKeySet();
      // A stored copy would lack a key that has just begun to sign.
      return new Response(JSON.stringify(keySet), {
        headers: {
          "content-type": "application/jwk-set+json",
          "cache-control": "no-cache",
          "access-control-allow-origin": "*",
        },
      });
    } catch (thrown) {
      return answerThrown(services, request, thrown);
    }
  });
}
