// Figures that a reader needs before they sign up, and one click away how fast the gateway is beside others, with where it
// is behind.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { counted } from "../../lib/plural.ts";
import { realModelsOf, useModels } from "../../lib/queries.ts";
import { addedTime, comparedFigures } from "./benchmark-figures.ts";

type Figure = { readonly value: string; readonly text: string };

export function Benchmarks(): JSX.Element {
  const models = useModels();
  const offered = (): Figure => {
    const real = realModelsOf(models.data);
    // Also what is read without scripts.
    if (real.length === 0) return { value: "1 key", text: "for the models of every lab" };
    const labs = new Set(real.map(({ lab }) => lab)).size;
    return { value: String(real.length), text: `models of ${counted(labs, "lab")}, with one key` };
  };
  const figures = (): readonly Figure[] => [
    { value: "0%", text: "on top of the price of a model: no fee on requests, none on top-ups" },
    offered(),
    { value: addedTime.value, text: "added to a request, its cost reserved and billed meanwhile" },
  ];
  return (
    <section class="flex flex-col gap-5">
      <h2 class="text-xl font-semibold tracking-tight">In figures</h2>
      <dl class="grid gap-8 sm:grid-cols-3 sm:gap-10">
        <For each={figures()}>
          {({ value, text }) => (
            <div class="flex flex-col-reverse justify-end border-t border-border pt-5">
              <dt class="mt-1 text-muted">{text}</dt>
              <dd class="figures text-2xl font-semibold tracking-tight">{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <details>
        <summary class="w-fit cursor-pointer rounded-control text-link">
          Compared with other gateways, also where we are slower
        </summary>
        <dl class="mt-3 flex flex-col gap-2">
          <For each={comparedFigures}>
            {({ value, text }) => (
              <div class="grid grid-cols-[5rem_1fr] gap-x-4">
                <dt class="figures font-medium">{value}</dt>
                <dd class="text-muted">{text}</dd>
              </div>
            )}
          </For>
        </dl>
        <p class="mt-3 text-muted">
          Measured on two cores, shared with PostgreSQL and the load. The others record no charges.{" "}
          <A href="/docs/benchmarks" class="link">
            How to measure it again
          </A>
        </p>
      </details>
    </section>
  );
}
