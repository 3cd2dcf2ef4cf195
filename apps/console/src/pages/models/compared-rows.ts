// What is compared of models, row by row.
import { formatCount, formatDuration, formatPrice, formatShare, noData } from "../../lib/format.ts";
import { describeModalities, describeSpeed } from "./describe-model.ts";
import { abilities, hasOutput, isAble, type Model } from "./model-query.ts";

type Row = { readonly title: string; readonly value: (model: Model) => string };

export const comparedRows: readonly Row[] = [
  { title: "Lab", value: ({ lab }) => lab },
  { title: "Providers", value: ({ providers }) => providers.join(", ") },
  { title: "Input", value: ({ prices }) => formatPrice(prices.inputUsd) },
  { title: "Cached", value: ({ prices }) => formatPrice(prices.cachedInputUsd) },
  {
    title: "Output",
    value: (model) => (hasOutput(model) ? formatPrice(model.prices.outputUsd) : noData),
  },
  { title: "Context", value: ({ contextTokens }) => formatCount(contextTokens) },
  { title: "Max output", value: ({ maxOutputTokens }) => formatCount(maxOutputTokens) },
  { title: "Modalities", value: describeModalities },
  { title: "First token, median", value: ({ figures }) => formatDuration(figures.firstTokenMs) },
  { title: "Tokens per second", value: ({ figures }) => describeSpeed(figures) },
  {
    title: "Availability in 24 hours",
    value: ({ figures }) => formatShare(figures.recentAvailability),
  },
  {
    title: "Availability in 30 days",
    value: ({ figures }) => formatShare(figures.monthAvailability),
  },
  ...abilities.map(({ id, name }) => ({
    title: name,
    value: (model: Model) => (isAble(model, id) ? "Yes" : "No"),
  })),
];
