// What the gateway adds to a request, as measured, with the way to measure it again.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { benchmarkFigures } from "./benchmark-figures.ts";

export function Benchmarks(): JSX.Element {
  return (
    <section class="flex flex-col gap-5">
      <h2 class="text-xl font-semibold tracking-tight">What it costs in time</h2>
      <dl class="grid gap-8 sm:grid-cols-3 sm:gap-10">
        <For each={benchmarkFigures}>
          {({ value, text }) => (
            <div class="flex flex-col-reverse justify-end border-t border-border pt-5">
              <dt class="mt-1 text-muted">{text}</dt>
              <dd class="figures text-2xl font-semibold tracking-tight">{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <p class="text-muted">
        Measured on two cores, shared with PostgreSQL and the load.{" "}
        <A href="/docs/benchmarks" class="link">
          How to measure it again
        </A>
      </p>
    </section>
  );
}
