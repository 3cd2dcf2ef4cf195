// One endpoint: what it takes and answers, the request as curl, and a form that sends it and shows the response.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { Button } from "../../ui/buttons/button.tsx";
import { CodeBlock, CodeSnippet } from "../../ui/code/code-snippet.tsx";
import { TextArea, TextField } from "../../ui/forms/text-field.tsx";
import { Tabs } from "../../ui/menus/tabs.tsx";
import type { DocFacts } from "./doc-facts.ts";
import { FieldList, WithCode } from "./field-list.tsx";
import { type Operation, sampleBody } from "./open-api.ts";
import { type Answer, addressOf, sendRequest } from "./send-request.ts";

type ViewProps = { operation: Operation; facts: DocFacts; apiKey: string };

type Part = "request" | "response" | "events" | "try";

export function OperationView(props: ViewProps): JSX.Element {
  const request = () => [...props.operation.parameters, ...props.operation.fields];
  const tabs = () => [
    ...(request().length > 0 ? [{ id: "request", label: "Request" } as const] : []),
    ...(props.operation.answer.length > 0 ? [{ id: "response", label: "Response" } as const] : []),
    ...(props.operation.event.length > 0 ? [{ id: "events", label: "Stream" } as const] : []),
    { id: "try", label: "Try it" } as const,
  ];
  const [part, setPart] = createSignal<Part>(tabs()[0]?.id ?? "try");
  const named = (what: string) => `${what} of ${props.operation.summary}`;
  return (
    <div class="flex flex-col gap-3">
      <Show when={props.operation.description}>
        {(description) => (
          <p>
            <WithCode text={description()} />
          </p>
        )}
      </Show>
      <Tabs label={named("Parts")} tabs={tabs()} value={part()} onChange={setPart}>
        <Show when={part() === "request"}>
          <FieldList of={request()} label={named("Request")} isRequest />
        </Show>
        <Show when={part() === "response"}>
          <FieldList of={props.operation.answer} label={named("Response")} />
        </Show>
        <Show when={part() === "events"}>
          <FieldList of={props.operation.event} label={named("Stream")} />
        </Show>
        {/* What was typed stays when the reader looks something up. */}
        <div class="pt-4" classList={{ hidden: part() !== "try" }}>
          <TryIt {...props} />
        </div>
      </Tabs>
    </div>
  );
}

function TryIt(props: ViewProps): JSX.Element {
  const [values, setValues] = createSignal<Readonly<Record<string, string>>>({});
  const [body, setBody] = createSignal(sampleBody(props.operation, props.facts));
  const [answer, setAnswer] = createSignal<Answer>();
  const [sending, setSending] = createSignal(false);
  const filled = () => ({ operation: props.operation, values: values(), body: body() });
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending()) return;
    setSending(true);
    setAnswer(await sendRequest({ ...filled(), key: props.apiKey.trim() }));
    setSending(false);
  };
  const changes = () => props.operation.path.includes("/management/");
  return (
    <form class="flex flex-col gap-4" onSubmit={(event) => void send(event)}>
      <For each={props.operation.parameters}>
        {(one) => (
          <TextField
            label={one.name}
            required={one.in === "path"}
            value={values()[one.name] ?? ""}
            onInput={(value) => setValues({ ...values(), [one.name]: value })}
            mono
          />
        )}
      </For>
      <Show when={props.operation.hasBody}>
        <TextArea label="Body" value={body()} onInput={setBody} rows={8} spellcheck={false} mono />
      </Show>
      <CodeSnippet snippets={[curlOf(filled(), props.facts)]} />
      <div class="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" pending={sending()} pendingLabel="Sending…">
          Send request
        </Button>
        <Show when={props.operation.key && props.apiKey.trim() === ""}>
          <span class="text-sm text-muted">
            Needs your {props.operation.key}, at the top of this page.
          </span>
        </Show>
        <Show when={props.operation.method !== "GET" && changes()}>
          <span class="text-sm text-muted">This changes your account.</span>
        </Show>
      </div>
      <div role="status">
        <Show when={answer()}>{(given) => <Given answer={given()} />}</Show>
      </div>
    </form>
  );
}

function Given(props: { answer: Answer }): JSX.Element {
  const title = () =>
    props.answer.status === undefined
      ? "No response"
      : `${props.answer.status} after ${props.answer.milliseconds} ms`;
  return (
    <div class="overflow-hidden rounded-card border border-border bg-surface">
      <p class="border-b border-border px-4 py-2 text-sm text-muted">{title()}</p>
      <div class="max-h-96 overflow-auto">
        <CodeBlock code={props.answer.text} language="json" label="Response" />
      </div>
    </div>
  );
}

type Request = { operation: Operation; values: Readonly<Record<string, string>>; body: string };

/** The key is read from the shell, so that copies of it contain none. */
function curlOf({ operation, values, body }: Request, { baseUrl }: DocFacts) {
  const site = baseUrl.replace(/\/v1$/, "");
  const name = operation.key === "management key" ? "MANAGEMENT_KEY" : "API_KEY";
  const parts = [
    `curl ${operation.method === "GET" ? "" : `-X ${operation.method} `}'${site}${addressOf({ operation, values })}'`,
    ...(operation.key ? [`-H "Authorization: Bearer $${name}"`] : []),
    ...(operation.hasBody ? ['-H "Content-Type: application/json"'] : []),
    ...(operation.hasBody ? [`-d '${body.replaceAll("'", "'\\''")}'`] : []),
  ];
  const code = parts.join(" \\\n  ");
  return { id: "curl", label: "curl", language: "bash", code } as const;
}
