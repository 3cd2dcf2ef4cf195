// The operator's desk: its sections, each in its own chunk, which nobody else loads.
import { useParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { type Component, lazy, Show } from "solid-js";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { usePageTitle } from "../../shell/page-title.tsx";
import { t } from "./texts.ts";

/** `id` is what a section is about: an account or a request. */
type Section = {
  readonly title?: string;
  readonly hasId?: true;
  readonly Page: Component<{ id: string }>;
};

/** By what follows `/operator/`. */
const sections: Readonly<Record<string, Section>> = {
  "": { Page: lazy(() => import("./find-page.tsx")) },
  accounts: { hasId: true, Page: lazy(() => import("./account-page.tsx")) },
  requests: {
    hasId: true,
    title: t("request.page"),
    Page: lazy(() => import("./request-page.tsx")),
  },
  models: { title: t("nav.models"), Page: lazy(() => import("./models-page.tsx")) },
  catalog: { title: t("nav.catalog"), Page: lazy(() => import("./catalog-page.tsx")) },
  money: { title: t("nav.money"), Page: lazy(() => import("./money-page.tsx")) },
  incidents: { title: t("nav.incidents"), Page: lazy(() => import("./incidents-page.tsx")) },
  system: { title: t("nav.system"), Page: lazy(() => import("./system-page.tsx")) },
};

export default function DeskPage(): JSX.Element {
  const params = useParams<{ rest?: string }>();
  const path = () => (params.rest ?? "").split("/").filter((part) => part !== "");
  const id = () => path()[1] ?? "";
  const section = () => {
    const [name = "", , ...more] = path();
    const found = Object.hasOwn(sections, name) ? sections[name] : undefined;
    const isWhole = more.length === 0 && (found?.hasId === true) === (id() !== "");
    return isWhole ? found : undefined;
  };
  usePageTitle(() => section()?.title);
  return (
    <Show when={section()} keyed fallback={<NotFoundPage />}>
      {({ Page }) => <Page id={id()} />}
    </Show>
  );
}
