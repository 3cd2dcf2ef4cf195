// The changes of a project: created, renamed, limited, and archived with a choice of what happens to its keys.
import { api, type Inputs } from "../../lib/api.ts";
import { checkName } from "../../lib/typed-text.ts";
import {
  checkRates,
  RateFields,
  ratesOf,
  rateValuesOf,
} from "../../product/limits/rate-limits.tsx";
import type { Project } from "../../product/projects/use-projects.ts";
import { askChange } from "../../ui/dialogs/open-dialog.tsx";

type KeyFate = Inputs["projects"]["archive"]["keys"];
type NameValues = { name: string };
type OnChanged = (id: string) => void;

const nameForm = {
  fields: [
    {
      kind: "text",
      name: "name",
      label: "Name",
      hint: "e.g. a team, a product or a customer",
    },
  ],
  validate: ({ name }: NameValues) => ({
    name: checkName(name, "Enter a name for this project.", "project"),
  }),
  refreshes: [["projects"]],
} as const;

export function createProject(onCreated: OnChanged): void {
  askChange({
    ...nameForm,
    title: "Create project",
    initial: { name: "" },
    confirmLabel: "Create project",
    pendingLabel: "Creating…",
    run: ({ name }) => api.projects.create.mutate({ name: name.trim() }),
    onDone: ({ id }) => onCreated(id),
    toast: (_, { name }) => `Created ${name.trim()}`,
  });
}

export function renameProject({ id, name: before }: Project, onChanged: OnChanged): void {
  askChange({
    ...nameForm,
    title: `Rename ${before}`,
    initial: { name: before },
    confirmLabel: "Save name",
    pendingLabel: "Saving…",
    run: ({ name }) => api.projects.rename.mutate({ id, name: name.trim() }),
    onDone: () => onChanged(id),
    toast: (_, { name }) => `Renamed to ${name.trim()}`,
  });
}

export function limitProject(project: Project, onChanged: OnChanged): void {
  const { id, name } = project;
  askChange({
    title: `Rate limits of ${name}`,
    text: "For all requests of this project together, beside the limits of its keys and of the account. Leave a field empty for no limit.",
    initial: rateValuesOf(project),
    validate: checkRates,
    fields: (form) => <RateFields form={form} />,
    confirmLabel: "Save limits",
    pendingLabel: "Saving…",
    run: (values) => api.projects.setLimits.mutate({ id, ...ratesOf(values) }),
    refreshes: [["projects"]],
    onDone: () => onChanged(id),
    toast: `Saved the rate limits of ${name}`,
  });
}

const keyFates = [
  { value: "move", label: "Move them", hint: "They keep working, in the default project." },
  { value: "revoke", label: "Revoke them", hint: "They stop working within a second, for good." },
] as const;

export function archiveProject({ id, name, liveKeys }: Project, onChanged: OnChanged): void {
  askChange<{ keys: KeyFate }, unknown>({
    title: `Archive ${name}?`,
    text: () => (
      <p>It is no longer offered for new keys. Its usage and logs stay, and it can be restored.</p>
    ),
    initial: { keys: "move" },
    fields:
      liveKeys > 0
        ? [{ kind: "cards", name: "keys", label: "Its API keys", choices: keyFates }]
        : [],
    question: { destructive: ({ keys }) => keys === "revoke" },
    confirmLabel: "Archive project",
    pendingLabel: "Archiving…",
    run: ({ keys }) => api.projects.archive.mutate({ id, keys }),
    // Archiving moves or revokes keys.
    refreshes: [["projects"], ["keys"]],
    onDone: () => onChanged(id),
    toast: `Archived ${name}`,
  });
}
