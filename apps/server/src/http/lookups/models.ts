// `GET /v1/models` and `/v1/models/{id}`: the catalog as SDKs list it, with those for embeddings at
// `/v1/embeddings/models` and OpenRouter's shape of one at `/v1/model/{id}`; `/v1/models/{id}/endpoints`: the routes of a
// model, in a shape of its own for images under `/v1/images/models`; `/v1/providers`: who answers them; `/v1/models/user`: the models that the caller's key may use, which alone needs
// one at OpenRouter's base path; and `/v1/models/count`. A raw slash in the id and a percent-encoded one name the same
// model. Clients that send `anthropic-version` get the first two in the shape of Anthropic's API, and those that send
// `x-goog-api-key` in that of Gemini's, which also calls a model by `POST /v1/models/{id}:{method}`.
import { customerNetwork, Fault, presentsKey } from "@turnpike/base";
import {
  findModel,
  type Model,
  parametersOfModel,
  parametersOfRoute,
  priceOfRoute,
} from "@turnpike/catalog";
import type { Operation } from "@turnpike/terms";
import {
  type EndpointView,
  endpointsBody,
  geminiModel,
  geminiModelPage,
  imageEndpointsBody,
  type ListedModel,
  modelInfo,
  modelInfoPage,
  modelList,
  modelObject,
  modelOf,
  providersBody,
  selectModels,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { isAnthropicClient, isGoogleClient } from "../answers/error-format-of.ts";
import type { Authenticate, ClientAddress } from "../callers/authenticate-request.ts";
import { assertNotLimited } from "../callers/authenticate-visitor.ts";
import { callLimit, createCallLimiter, scaleLimit } from "../callers/limit-calls.ts";
import {
  answerJson,
  type Handle,
  type Methods,
  pathBehind,
  registerRoute,
} from "../routes/route.ts";

/** As OpenRouter lists them beside the endpoint of the operation. */
const listsOfOperation: readonly (readonly [path: string, operation: Operation])[] = [
  ["/v1/embeddings/models", "embeddings"],
  ["/v1/images/models", "image"],
];

const prefix = "/v1/models/";
const singlePrefix = "/v1/model/";
const imagesPrefix = "/v1/images/models/";
const endpointsSuffix = "/endpoints";

export function registerModels(
  app: Pick<Elysia, "all">,
  services: Services,
  authenticate: Authenticate,
  addressOf: ClientAddress,
  callGemini: Handle,
): void {
  const { catalog } = services.gateway;
  const admit = createAdmission(services, authenticate, addressOf);
  registerOpenly("/v1/models", (allow) => ({
    async GET(request, ids) {
      await allow(request);
      const models = [...catalog.current.models.values()];
      const query = new URL(request.url).searchParams;
      if (isGoogleClient(request.headers)) return answerJson(ids, geminiModelPage(models, query));
      if (isAnthropicClient(request.headers)) return answerJson(ids, modelInfoPage(models, query));
      return answerJson(ids, modelList(selectModels(models.map(withParameters), query)));
    },
  }));
  for (const [path, operation] of listsOfOperation) {
    registerOpenly(path, (allow) => ({
      async GET(request, ids) {
        await allow(request);
        const models = [...catalog.current.models.values()];
        const own = models.filter((model) => model.operation === operation);
        return answerJson(ids, modelList(own.map(withParameters)));
      },
    }));
  }
  registerOpenly(`${imagesPrefix}*`, (allow) => ({
    async GET(request, ids) {
      await allow(request);
      const id = decodePath(pathBehind(request, imagesPrefix));
      if (!id.endsWith(endpointsSuffix)) throw noImageModel(id);
      const named = id.slice(0, -endpointsSuffix.length);
      const model = findModel(catalog.current, named, { param: "model" });
      if (model.operation !== "image") throw noImageModel(model.id);
      return answerJson(ids, imageEndpointsBody(model, listEndpoints(services, model)));
    },
  }));
  registerOpenly(`${singlePrefix}*`, (allow) => ({
    async GET(request, ids) {
      await allow(request);
      const id = decodePath(pathBehind(request, singlePrefix));
      const model = findModel(catalog.current, id, { param: "model" });
      return answerJson(ids, { data: modelObject(withParameters(model)) });
    },
  }));
  registerOpenly("/v1/providers", (allow) => ({
    async GET(request, ids) {
      await allow(request);
      const routes = [...catalog.current.models.values()].flatMap((model) => model.routes);
      const providers = new Set(routes.map(({ provider }) => provider.id));
      return answerJson(ids, providersBody([...providers].sort()));
    },
  }));
  registerRoute(app, services, `${prefix}user`, {
    async GET(request, ids) {
      const { guardrails } = await authenticate(request);
      const models = [...catalog.current.models.values()];
      const usable = models.filter(
        ({ id }) => guardrails?.models.every(({ value }) => value(id)) ?? true,
      );
      return answerJson(ids, modelList(usable.map(withParameters)));
    },
  });
  registerOpenly(`${prefix}count`, (allow) => ({
    async GET(request, ids) {
      await allow(request);
      return answerJson(ids, { data: { count: catalog.current.models.size } });
    },
  }));
  registerOpenly(`${prefix}*`, (allow) => ({
    POST: callGemini,
    async GET(request, ids) {
      await allow(request);
      const id = modelOf(decodePath(pathBehind(request, prefix)));
      if (!id.endsWith(endpointsSuffix) || catalog.current.models.has(id)) {
        const model = findModel(catalog.current, id, { param: "model" });
        if (isGoogleClient(request.headers)) return answerJson(ids, geminiModel(model));
        if (!isAnthropicClient(request.headers))
          return answerJson(ids, modelObject(withParameters(model)));
        if (model.operation === "chat") return answerJson(ids, modelInfo(model));
        throw new Fault("model_not_found", `The model '${model.id}' does not answer messages.`);
      }
      const named = id.slice(0, -endpointsSuffix.length);
      const model = findModel(catalog.current, named, { param: "model" });
      const endpoints = listEndpoints(services, model);
      return answerJson(ids, endpointsBody(withParameters(model), endpoints));
    },
  }));

  /** With a key at `/v1`, as OpenAI's clients check theirs, and for anyone at OpenRouter's base path. */
  function registerOpenly(path: string, methodsFor: (allow: Allow) => Methods): void {
    registerRoute(app, services, path, methodsFor(authenticate), methodsFor(admit));
  }
}

/** Rejects for a caller who may not read what is asked. */
type Allow = (request: Request) => unknown;

/** For anyone, as often as one network may ask. A key that is presented must be valid. */
function createAdmission(
  { config, heartbeat }: Services,
  authenticate: Authenticate,
  addressOf: ClientAddress,
): Allow {
  const anonymousCallers = createCallLimiter(
    scaleLimit(callLimit, config.THROTTLE_SCALE),
    () => performance.now(),
    () => heartbeat.share().instances,
  );
  return async (request) => {
    if (presentsKey(request.headers)) await authenticate(request);
    else assertNotLimited(anonymousCallers.take(customerNetwork(addressOf(request)), 1));
  };
}

function noImageModel(id: string): Fault {
  const sentence = `There are no endpoints for images of '${id.slice(0, 200)}'. GET /v1/images/models lists the models for images, and GET /v1/images/models/{author}/{slug}/endpoints the routes of one.`;
  return new Fault("model_not_found", sentence, { param: "model" });
}

function withParameters(model: Model): ListedModel {
  return { ...model, parameters: parametersOfModel(model) };
}

/** In the order in which they are tried for a caller without preferences. */
function listEndpoints({ gateway }: Services, model: Model): EndpointView[] {
  return model.routes.map((route) => {
    const { isOpen, firstByteMs, tokensPerSecond } = gateway.routeHealth.of(route);
    return {
      provider: route.provider.id,
      price: priceOfRoute(model, route),
      parameters: parametersOfRoute(model, route),
      dataCollection: route.dataCollection,
      zdr: route.zdr,
      works: !isOpen,
      firstByteMs,
      tokensPerSecond,
    };
  });
}

/** A path that is not valid percent-encoding names no model of ours, so it may stay unchanged. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
