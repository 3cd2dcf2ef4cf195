// `GET /v1/models` and `/v1/models/{id}`: the catalogue as SDKs list it; `/v1/models/{id}/endpoints`: the
// routes of a model; and `/v1/models/user`: the models that the caller's key may use. A raw slash in the id
// and a percent-encoded one name the same model.
import { type Catalog, findModel, type Model, priceOfRoute } from "@turnpike/catalog";
import { type EndpointView, endpointsBody, modelList, modelObject } from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Services } from "../services.ts";
import type { Authenticate } from "./authenticate-request.ts";
import { answerJson, registerRoute } from "./route.ts";

const prefix = "/v1/models/";
const endpointsSuffix = "/endpoints";

export function registerModels(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
): void {
  const catalog = (): Catalog => services.gateway.catalog();
  registerRoute(app, services, "/v1/models", {
    async GET(request, ids) {
      await authenticate(request);
      return answerJson(ids, modelList([...catalog().models.values()]));
    },
  });
  registerRoute(app, services, `${prefix}user`, {
    async GET(request, ids) {
      const { allowedModels } = (await authenticate(request)).limits;
      const models = [...catalog().models.values()];
      const usable = models.filter(({ id }) => allowedModels?.includes(id) ?? true);
      return answerJson(ids, modelList(usable));
    },
  });
  registerRoute(app, services, `${prefix}*`, {
    async GET(request, ids) {
      await authenticate(request);
      const id = decodePath(new URL(request.url).pathname.slice(prefix.length));
      if (!id.endsWith(endpointsSuffix) || catalog().models.has(id)) {
        return answerJson(ids, modelObject(findModel(catalog(), id, { param: "model" })));
      }
      const named = id.slice(0, -endpointsSuffix.length);
      const model = findModel(catalog(), named, { param: "model" });
      return answerJson(ids, endpointsBody(model, listEndpoints(services, model)));
    },
  });
}

/** In the order they are tried for a caller without preferences. */
function listEndpoints({ gateway }: Services, model: Model): EndpointView[] {
  return model.routes.map((route) => {
    const { isOpen, firstByteMs, tokensPerSecond } = gateway.routeHealth.of(route);
    return {
      provider: route.provider.id,
      price: priceOfRoute(model, route),
      parameters: route.parameters,
      dataCollection: route.dataCollection,
      zdr: route.zdr,
      works: !isOpen,
      firstByteMs,
      tokensPerSecond,
    };
  });
}

/** A path that is not valid percent-encoding names no model of ours, so it may stay as it is. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
