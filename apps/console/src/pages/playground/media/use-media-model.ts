// The model that a page of the playground asks: the one that its address names, or else the first. What its providers take is
// read for it alone.
import { useSearchParams } from "@solidjs/router";
import { api } from "../../../lib/api.ts";
import { useQuery } from "../../../lib/use-query.ts";
import type { Model } from "../conversation/conversation.ts";

export function useMediaModel(models: () => readonly Model[]) {
  const [search, setSearch] = useSearchParams<{ model?: string }>();
  const model = () => models().find(({ id }) => id === search.model) ?? models()[0];
  const detail = useQuery(() => ({
    queryKey: ["models", "detail", model()?.id ?? ""],
    queryFn: ({ signal }) => api.models.detail.query({ id: model()?.id ?? "" }, { signal }),
    enabled: model() !== undefined,
  }));
  return {
    model,
    choose: (id: string) => setSearch({ model: id }, { replace: true }),
    /** False until it is known. */
    takes: (parameter: string) => detail.data?.supportedParameters.includes(parameter) ?? false,
  };
}
