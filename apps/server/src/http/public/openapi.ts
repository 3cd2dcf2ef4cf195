// `GET /openapi.json`: the description of the API, for everyone. Written when it is first asked for.
import { writeOpenApi } from "@turnpike/api";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";

export function registerOpenApi(
  app: Pick<Elysia, "get">,
  { config }: Pick<Services, "config">,
): void {
  let text: string | undefined;
  app.get("/openapi.json", () => {
    const { PRODUCT_NAME: productName, PUBLIC_URL: publicUrl } = config;
    text ??= JSON.stringify(writeOpenApi({ productName, publicUrl }));
    return new Response(text, {
      headers: {
        "content-type": "application/json",
        "cache-control": "public, max-age=300",
        "access-control-allow-origin": "*",
      },
    });
  });
}
