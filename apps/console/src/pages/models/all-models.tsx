// The way back to the list, where compared models are still selected.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { ChevronLeft } from "../../ui/icons.ts";
import { idsQuery } from "./compared-ids.ts";

export function AllModels(props: { compared?: readonly string[] }): JSX.Element {
  return (
    <A
      href={`/models${idsQuery("compare", props.compared ?? [])}`}
      class="link inline-flex w-fit items-center gap-1 text-sm"
    >
      <ChevronLeft class="size-4" aria-hidden="true" />
      All models
    </A>
  );
}
