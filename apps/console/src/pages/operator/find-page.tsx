// The desk's one field: whatever a customer quotes leads to their account.
import type { JSX } from "solid-js";
import { createEffect, createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { text, useAddress } from "../../lib/use-address.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { textColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { useDesk } from "./use-operator.ts";

const kindNames = {
  account: "Account",
  key: "API key",
  call: "Request",
  top_up: "Top-up",
  movement: "Movement of money",
  event: "Event of Stripe",
} as const;

type Found = Answers["operator"]["desk"]["find"]["found"][number];

const columns: readonly Column<Found>[] = [
  textColumn("title", "Found", ({ title }) => title),
  { id: "kind", title: "Kind", cell: ({ kind }) => kindNames[kind] },
  textColumn("detail", "Detail", ({ detail }) => detail),
];

export default function FindPage(): JSX.Element {
  const { get, set } = useAddress({ q: text });
  const [typed, setTyped] = createSignal(get("q"));
  // Back and Forward change the results, and so what the field says was asked.
  createEffect(() => setTyped(get("q")));
  const asked = () => get("q").trim();
  return (
    <OperatorFrame>
      <form
        class="flex flex-col gap-3 sm:flex-row sm:items-start"
        onSubmit={(event) => {
          event.preventDefault();
          set({ q: typed().trim() });
        }}
      >
        <div class="min-w-0 flex-1">
          <TextField
            label="Find an account, a key, a call or a payment"
            hint="An email address, a name, a key or its last four characters, a request or generation id, an id of Stripe, an amount."
            name="q"
            value={typed()}
            onInput={setTyped}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            autofocus
          />
        </div>
        <Button type="submit" variant="primary" class="sm:mt-7">
          Find
        </Button>
      </form>
      <Show when={asked()} keyed>
        {(quoted) => <FoundCard text={quoted} />}
      </Show>
    </OperatorFrame>
  );
}

function FoundCard(props: { text: string }): JSX.Element {
  const query = useDesk("find", api.operator.desk.find, () => ({ text: props.text }));
  return (
    <TableCard
      query={query}
      what="what you look for"
      empty={`Nothing was found for “${props.text}”.`}
      caption="What was found"
      columns={columns}
      rows={({ found }) => found}
      rowKey={({ kind, id }) => `${kind} ${id}`}
      rowHref={hrefOf}
    />
  );
}

function hrefOf({ kind, id, accountId }: Found): string | undefined {
  if (kind === "call") return `/operator/requests/${id}`;
  return accountId === null ? undefined : `/operator/accounts/${accountId}`;
}
