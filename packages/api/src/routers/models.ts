// The public catalog: models, their prices and price history, and what the calls of this installation met.

import { Fault } from "@turnpike/base";
import { parametersOfModel } from "@turnpike/catalog";
import { stateRates } from "@turnpike/terms";
import { z } from "zod";
import { line } from "../inputs.ts";
import { keepPriceHistory } from "../keep-price-history.ts";
import { presentModel, presentRoutes, presentServiceTiers } from "../present-model.ts";
import { noInput, publicProcedure, router } from "../procedure.ts";

export const modelsRouter = router({
  list: publicProcedure.input(noInput).query(({ ctx }) => {
    const figures = ctx.figures.current;
    return [...ctx.catalog.current.models.values()].map((model) => presentModel(model, figures));
  }),
  detail: publicProcedure.input(z.strictObject({ id: line(128) })).query(async ({ ctx, input }) => {
    const catalog = ctx.catalog.current;
    const model = catalog.models.get(input.id);
    if (model === undefined) throw new Fault("not_found", "There is no such model.");
    const history = await keepPriceHistory(ctx.db, catalog, model.id);
    return {
      ...presentModel(model, ctx.figures.current),
      routes: presentRoutes(model, ctx.figures.current),
      serviceTiers: presentServiceTiers(model),
      supportedParameters: parametersOfModel(model),
      priceHistory: history.map((price) => ({
        since: price.since.toISOString(),
        prices: stateRates(price),
      })),
    };
  }),
});
