// How is the installation, and what does this customer need? The operator's desk: its sections, each in its own chunk,
// which nobody else loads.
import { useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { type Component, lazy, Show } from "solid-js";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";

/** `id` is what a section is about: an account or a request. */
type Section = {
  readonly title?: string;
  readonly Page: Component<{ id: string }>;
};

/** By what follows `/operator/`; `ID` stands for any. */
const sections: Readonly<Record<string, Section>> = {
  "": { Page: lazy(() => import("./find-page.tsx")) },
  accounts: { title: "Accounts", Page: lazy(() => import("./accounts-page.tsx")) },
  "accounts/ID": { Page: lazy(() => import("./account-page.tsx")) },
  "requests/ID": { title: "Request", Page: lazy(() => import("./request-page.tsx")) },
  models: { title: "Models and routes", Page: lazy(() => import("./models-page.tsx")) },
  catalog: { title: "Catalog", Page: lazy(() => import("./catalog-page.tsx")) },
  money: { title: "Money", Page: lazy(() => import("./money-page.tsx")) },
  incidents: { title: "Incidents", Page: lazy(() => import("./incidents-page.tsx")) },
  system: { title: "System", Page: lazy(() => import("./system-page.tsx")) },
};

export default function DeskPage(): JSX.Element {
  const params = useParams<{ rest?: string }>();
  const path = () => (params.rest ?? "").split("/").filter((part) => part !== "");
  const id = () => path()[1] ?? "";
  const section = () => {
    const [name = "", ...more] = path();
    const pattern = [name, ...more.map((_, index) => (index === 0 ? "ID" : ""))].join("/");
    return Object.hasOwn(sections, pattern) ? sections[pattern] : undefined;
  };
  usePageTitle(() => section()?.title);
  return (
    <Show when={section()} keyed fallback={<NotFoundPage />}>
      {({ Page }) => <Page id={id()} />}
    </Show>
  );
}
