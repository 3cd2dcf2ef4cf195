// Fields of a request or a response: name, type and what each is for. Those inside a field are drawn when it is opened.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import type { Field } from "./schema-fields.ts";

type FieldListProps = {
  of: readonly (Field & { readonly in?: string })[];
  label: string;
  /** Whether it says which fields are required: a response has what it has. */
  isRequest?: boolean | undefined;
};

export function FieldList(props: FieldListProps): JSX.Element {
  return (
    <ul aria-label={props.label}>
      <For each={props.of}>
        {(field) => (
          <li class="border-b border-border py-2.5 last:border-0">
            <p class="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <code translate="no" class="font-mono text-sm font-medium wrap-anywhere">
                {field.name}
              </code>
              <span class="text-xs text-muted wrap-anywhere">
                {[
                  field.type,
                  field.in === undefined ? "" : `in the ${field.in}`,
                  props.isRequest && field.required ? "required" : "",
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </p>
            <Show when={field.description}>
              {(text) => (
                <p class="mt-0.5 text-sm wrap-anywhere">
                  <WithCode text={text()} />
                </p>
              )}
            </Show>
            <Inside {...props} field={field} />
          </li>
        )}
      </For>
    </ul>
  );
}
function Inside(props: FieldListProps & { field: Field }): JSX.Element {
  const [opened, setOpened] = createSignal(false);
  const fields = () => props.field.inside();
  return (
    <Show when={fields().length > 0}>
      <details class="mt-1" onToggle={(event) => event.currentTarget.open && setOpened(true)}>
        <summary class="w-fit rounded-control py-1 text-sm text-muted pointer-coarse:py-3">
          Fields of{" "}
          <code translate="no" class="font-mono">
            {props.field.name}
          </code>
        </summary>
        <Show when={opened()}>
          <div class="ms-1 border-s border-border ps-3">
            <FieldList
              of={fields()}
              label={`Fields of ${props.field.name}`}
              isRequest={props.isRequest}
            />
          </div>
        </Show>
      </details>
    </Show>
  );
}

/** What stands between backticks is code. */
export function WithCode(props: { text: string }): JSX.Element {
  return (
    <For each={props.text.split("`")}>
      {(part, index) =>
        index() % 2 === 0 ? (
          part
        ) : (
          <code translate="no" class="font-mono text-[0.925em]">
            {part}
          </code>
        )
      }
    </For>
  );
}
