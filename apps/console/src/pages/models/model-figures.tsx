// What calls of this installation met: of the model, and of each of its routes. Where there were too few, it says so.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatDuration, formatShare } from "../../lib/format.ts";
import { describePrices, inputPriceOf, outputPriceOf } from "../../product/prices/shown-prices.ts";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { FigureCard } from "../../ui/layout/card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { describeSpeed } from "./describe-model.ts";

type Detail = Answers["models"]["detail"];
type Route = Detail["routes"][number] & { readonly place: number };

export function FiguresOfModel(props: { model: Detail }): JSX.Element {
  const figures = () => props.model.figures;
  const isUnknown = () => Object.values(figures()).every((figure) => figure === null);
  return (
    <Show
      when={!isUnknown()}
      fallback={
        <p class="text-sm text-muted">
          Too few requests were made here in the last 30 days to say how fast and how available it
          is.
        </p>
      }
    >
      <div class="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <FigureCard label="First token" note="Median, 30 days">
          {formatDuration(figures().firstTokenMs)}
        </FigureCard>
        <FigureCard label="Speed" note="Newest answers">
          {describeSpeed(figures())}
        </FigureCard>
        <FigureCard label="Availability" note="24 hours">
          {formatShare(figures().recentAvailability)}
        </FigureCard>
        <FigureCard label="Availability" note="30 days">
          {formatShare(figures().monthAvailability)}
        </FigureCard>
      </div>
    </Show>
  );
}

export function RoutesCard(props: { model: Detail }): JSX.Element {
  const routes = () => props.model.routes.map((route, index) => ({ ...route, place: index + 1 }));
  return (
    <TableCard
      title="Routes"
      description={
        <>
          Who serves it, in the order in which they are tried, measured by requests made here. A
          dash means too few requests to say. 90 days are on the{" "}
          <A href="/status" class="link">
            status page
          </A>
          .
        </>
      }
      caption="Routes of this model"
      columns={columnsFor(props.model)}
      rows={routes()}
      rowKey={({ place }) => String(place)}
    />
  );
}

function columnsFor(model: Detail): readonly Column<Route>[] {
  const figure = (id: string, title: string, cell: (route: Route) => string) =>
    ({ id, title, align: "end", cell }) as const;
  return [
    { id: "provider", title: "Provider", cell: ({ provider }) => provider },
    {
      id: "state",
      title: "Now",
      cell: ({ works }) => (
        <StatusPill tone={works ? "success" : "danger"}>
          {works ? "Operational" : "Outage"}
        </StatusPill>
      ),
    },
    figure("firstToken", "First token", ({ firstTokenMs }) => formatDuration(firstTokenMs)),
    figure("speed", "Speed", describeSpeed),
    figure("recent", "24 hours", (route) => formatShare(route.recentAvailability)),
    figure("month", "30 days", ({ monthAvailability }) => formatShare(monthAvailability)),
    figure("price", priceTitle(model), (route) =>
      describePrices({ operation: model.operation, prices: route.prices ?? model.prices }),
    ),
    { id: "data", title: "Your data", cell: describeDataPolicy },
  ];
}

function priceTitle(model: Detail): string {
  if (model.prices.units !== undefined || inputPriceOf(model) === undefined) return "Price";
  return outputPriceOf(model) === undefined ? "Input" : "Input / output";
}

function describeDataPolicy({ dataCollection, zeroDataRetention }: Route): string {
  if (zeroDataRetention === true) return "Not kept";
  if (dataCollection === null) return "Not stated";
  return dataCollection === "deny" ? "Not used for training" : "May be kept or used for training";
}
