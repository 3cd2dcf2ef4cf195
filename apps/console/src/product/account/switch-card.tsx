// A card with one setting of the account that is on or off, and saved at once.
import type { QueryKey } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { useAnswer } from "../../lib/use-query.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Switch } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";

type SwitchCardProps = {
  title: string;
  description: string;
  label: string;
  hint?: string;
  queryKey: QueryKey;
  load: (call: { signal: AbortSignal }) => Promise<boolean>;
  save: (on: boolean) => Promise<unknown>;
  mayChange: boolean;
};

export function SwitchCard(props: SwitchCardProps): JSX.Element {
  const query = useAnswer(
    () => props.queryKey,
    (call) => props.load(call),
  );
  const saving = useChange((on: boolean) => props.save(on), {
    refreshes: props.queryKey,
    toast: "Saved",
  });
  return (
    <Card title={props.title} description={props.description}>
      <Loaded
        query={query}
        what="the setting"
        skeleton={<SkeletonRows bare rows={1} rowClass="h-6" />}
      >
        {(isOn) => (
          <Switch
            label={props.label}
            hint={props.hint}
            checked={isOn()}
            disabled={!props.mayChange || saving.isPending}
            onChange={(on) => saving.mutate(on)}
          />
        )}
      </Loaded>
    </Card>
  );
}
