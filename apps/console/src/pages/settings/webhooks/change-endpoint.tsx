// Changes of endpoints: added, changed, deleted, and given another secret, which is shown.
import { type OverlapHours, webhookDescriptionCharsMax } from "@turnpike/terms";
import { lazy } from "solid-js";
import { api, type Inputs } from "../../../lib/api.ts";
import { loadOnce } from "../../../lib/load-once.ts";
import type { Change } from "../../../ui/dialogs/change-dialog.tsx";
import { askChange, askQuestion, openDialog } from "../../../ui/dialogs/open-dialog.tsx";
import { choicesOf } from "../../../ui/forms/choices.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { type Endpoint, webhooksKey } from "./endpoints.ts";
import { chosenIn, type EndpointValues, EventFields, type EventType } from "./event-fields.tsx";

const SecretDialog = lazy(loadOnce(() => import("./secret-dialog.tsx")));

type EndpointInput = Inputs["webhooks"]["create"];

export function addEndpoint(types: readonly EventType[]): void {
  askChange({
    ...endpointForm(types, undefined),
    title: "Add endpoint",
    confirmLabel: "Add endpoint",
    pendingLabel: "Adding…",
    run: (values) => api.webhooks.create.mutate(inputOf(types, values)),
    onDone: ({ secret }) => showSecret(secret),
  });
}

export function changeEndpoint(endpoint: Endpoint, types: readonly EventType[]): void {
  const { id } = endpoint;
  askChange({
    ...endpointForm(types, endpoint),
    title: "Change endpoint",
    confirmLabel: "Save changes",
    pendingLabel: "Saving…",
    run: (values) => api.webhooks.update.mutate({ id, ...inputOf(types, values) }),
    toast: "The endpoint was changed.",
  });
}

type EndpointForm = Pick<
  Change<EndpointValues, never>,
  "initial" | "fields" | "validate" | "refreshes"
>;

function endpointForm(types: readonly EventType[], of: Endpoint | undefined): EndpointForm {
  const ticked = of?.eventTypes ?? [];
  return {
    initial: {
      url: of?.url ?? "",
      description: of?.description ?? "",
      which: (of?.eventTypes ?? null) === null ? "every" : "chosen",
      ...Object.fromEntries(types.map((type) => [type, ticked.includes(type)])),
      eventTypes: "",
    } as EndpointValues,
    fields: (form) => (
      <>
        <TextField
          {...form.field("url")}
          label="URL"
          hint="Begins with https:// and is on the public internet."
          type="url"
          inputmode="url"
          autocomplete="off"
          spellcheck={false}
          mono
        />
        <TextField
          {...form.field("description")}
          label="Description"
          optional
          maxlength={webhookDescriptionCharsMax}
        />
        <EventFields form={form} types={types} />
      </>
    ),
    validate: (values) => ({
      url: values.url.trim() === "" ? "Enter a URL." : undefined,
      eventTypes:
        values.which === "chosen" && chosenIn(types, values).length === 0
          ? "Tick at least one kind of event."
          : undefined,
    }),
    refreshes: [webhooksKey],
  };
}

function inputOf(types: readonly EventType[], values: EndpointValues): EndpointInput {
  return {
    url: values.url.trim(),
    description: values.description,
    eventTypes: values.which === "every" ? null : chosenIn(types, values),
  };
}

type Overlap = `${OverlapHours}`;

/** Guarantee: an `Overlap` is one of `OverlapHours` in digits. */
const hoursOf = (overlap: Overlap) => Number(overlap) as OverlapHours;

export function rotateSecret({ id }: Endpoint): void {
  askChange<{ overlap: Overlap }, { secret: string }>({
    title: "Rotate the signing secret?",
    text: "Messages are signed with the new secret, and with the old one too for as long as you choose here.",
    initial: { overlap: "24" },
    fields: [
      {
        kind: "cards",
        name: "overlap",
        label: "The old secret counts",
        choices: choicesOf<Overlap>({ 0: "No longer", 1: "1 hour", 24: "1 day", 168: "7 days" }),
      },
    ],
    question: {},
    confirmLabel: "Rotate secret",
    pendingLabel: "Rotating…",
    run: ({ overlap }) => api.webhooks.rotateSecret.mutate({ id, overlapHours: hoursOf(overlap) }),
    refreshes: [webhooksKey],
    onDone: ({ secret }) => showSecret(secret),
  });
}

export function deleteEndpoint({ id, url }: Endpoint): void {
  askQuestion({
    title: "Delete this endpoint?",
    text: `Nothing more is sent to ${url}, and its deliveries are no longer listed.`,
    confirmLabel: "Delete",
    pendingLabel: "Deleting…",
    run: () => api.webhooks.delete.mutate({ id }),
    refreshes: [webhooksKey],
    toast: "The endpoint was deleted.",
  });
}

export function showSecret(secret: string): void {
  openDialog((close) => <SecretDialog secret={secret} onClose={close} />);
}
