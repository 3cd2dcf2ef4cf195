// Facts of two requests side by side, on a phone below each other. A row that differs says so by icon and word.

import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { noData } from "../../lib/format.ts";
import { translateOf } from "../../ui/figures/machine-text.ts";
import { EqualNot } from "../../ui/icons.ts";
import { usePhone } from "../../ui/layout/use-media.ts";
import type { ComparedGroup, ComparedRow } from "./compare-facts.ts";

type ComparedGroupsProps = {
  caption: string;
  groups: readonly ComparedGroup[];
  onlyDifferences: boolean;
};

export function ComparedGroups(props: ComparedGroupsProps): JSX.Element {
  const phone = usePhone();
  const groups = () =>
    props.groups.flatMap(({ title, rows }) => {
      const shown = props.onlyDifferences ? rows.filter(({ differs }) => differs) : rows;
      return shown.length > 0 ? [{ title, rows: shown }] : [];
    });
  return (
    <Show
      when={groups().length > 0}
      fallback={<p class="py-6 text-center text-muted">Nothing differs.</p>}
    >
      <Show when={phone()} fallback={<WideRows caption={props.caption} groups={groups()} />}>
        <For each={groups()}>{(group) => <Cards of={group} />}</For>
      </Show>
    </Show>
  );
}

function WideRows(props: { caption: string; groups: readonly ComparedGroup[] }): JSX.Element {
  return (
    <table class="w-full table-fixed border-separate border-spacing-0 text-sm">
      <caption class="sr-only">{props.caption}</caption>
      <thead>
        <tr class="text-start text-xs text-muted">
          <th scope="col" class="w-52 p-0">
            <span class="sr-only">Field</span>
          </th>
          <th scope="col" class="px-3 pb-1 text-start font-medium">
            Request A
          </th>
          <th scope="col" class="px-3 pb-1 text-start font-medium">
            Request B
          </th>
        </tr>
      </thead>
      <For each={props.groups}>
        {(group) => (
          <tbody>
            <tr>
              <th
                scope="rowgroup"
                colSpan={3}
                class="border-b border-border pt-4 pb-1.5 text-start text-base font-semibold"
              >
                {group.title}
              </th>
            </tr>
            <For each={group.rows}>
              {(row) => (
                <tr data-differs={row.differs ? "" : undefined} class="data-differs:bg-info-tint">
                  <th scope="row" class={`${cellClass} px-2 text-start font-normal`}>
                    <Title of={row} />
                  </th>
                  <td class={`${cellClass} ${valueClass} px-3`} translate={translateOf(row.first)}>
                    {row.first ?? noData}
                  </td>
                  <td class={`${cellClass} ${valueClass} px-3`} translate={translateOf(row.second)}>
                    {row.second ?? noData}
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        )}
      </For>
    </table>
  );
}

const cellClass = "border-b border-border py-1.5 align-top";
const valueClass = "figures whitespace-pre-wrap wrap-anywhere";

function Title(props: { of: ComparedRow }): JSX.Element {
  return (
    <span class="flex flex-wrap items-center justify-between gap-x-2">
      <span class="wrap-anywhere">{props.of.title}</span>
      <Show when={props.of.differs}>
        <span class="inline-flex items-center gap-1 text-xs font-medium whitespace-nowrap text-info">
          <EqualNot class="size-3.5 shrink-0" aria-hidden="true" />
          Differs
        </span>
      </Show>
    </span>
  );
}

function Cards(props: { of: ComparedGroup }): JSX.Element {
  return (
    <section class="mt-4 text-sm">
      <h3 class="pb-1.5 text-base font-semibold">{props.of.title}</h3>
      <dl>
        <For each={props.of.rows}>
          {(row) => (
            <div
              data-differs={row.differs ? "" : undefined}
              class="border-t border-border px-2 py-1.5 data-differs:bg-info-tint"
            >
              <dt class="font-medium">
                <Title of={row} />
              </dt>
              <Show when={row.differs} fallback={<Value of="A and B">{row.first ?? noData}</Value>}>
                <Value of="A">{row.first ?? noData}</Value>
                <Value of="B">{row.second ?? noData}</Value>
              </Show>
            </div>
          )}
        </For>
      </dl>
    </section>
  );
}

function Value(props: { of: string; children: JSX.Element }): JSX.Element {
  return (
    <dd class="flex gap-2">
      <span class="shrink-0 text-muted">{props.of}</span>
      <span class={valueClass} translate={translateOf(props.children)}>
        {props.children}
      </span>
    </dd>
  );
}
