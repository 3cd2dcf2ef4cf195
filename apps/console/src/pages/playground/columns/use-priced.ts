// A model with what it costs at the provider that a person chose, whose route may have prices of its own.
import type { Accessor } from "solid-js";
import { api } from "../../../lib/api.ts";
import { useQuery } from "../../../lib/use-query.ts";
import type { Model } from "../conversation/conversation.ts";

/** Undefined while the prices are not known. */
export function usePriced(
  model: Accessor<Model | undefined>,
  provider: Accessor<string>,
): Accessor<Model | undefined> {
  const isChosen = () => model()?.providers.includes(provider()) ?? false;
  const detail = useQuery(() => {
    const id = model()?.id ?? "";
    return {
      queryKey: ["models", "detail", id],
      queryFn: ({ signal }) => api.models.detail.query({ id }, { signal }),
      enabled: isChosen(),
    };
  });
  return () => {
    const listed = model();
    if (listed === undefined || !isChosen()) return listed;
    const route = detail.data?.routes.find((each) => each.provider === provider());
    if (route === undefined) return undefined;
    const { longPrompts, ...others } = listed;
    return route.prices === null ? listed : { ...others, prices: route.prices };
  };
}
