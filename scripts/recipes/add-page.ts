// "Add a page of the console" that counts guardrails.
import type { Recipe } from "./recipe.ts";

const page = `// Which guardrails has this account?
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";

export default function AlmanacPage(): JSX.Element {
  const guardrails = useAnswer(["guardrails", "list"], (call) =>
    api.guardrails.list.query(undefined, call),
  );
  return (
    <Loaded query={guardrails} what="your guardrails" skeleton={<SkeletonRows rows={3} />}>
      {(data) => <p>{data().guardrails.length} guardrails in the almanac</p>}
    </Loaded>
  );
}
`;

export const addPage: Recipe = {
  title: "Add a page of the console",
  edits: [
    {
      file: "shell/routes.ts",
      before: '  setting("profile", "profile"',
      insert: `  {
    id: "almanac",
    path: "/almanac",
    access: "member",
    needs: "keys.read",
    load: () => import("../pages/almanac/almanac-page.tsx"),
  },`,
    },
    { file: "page-names.ts", before: '  status: "Status",', insert: '  almanac: "Almanac",' },
    { beside: "apps/console/src/main.tsx", add: "pages/almanac/almanac-page.tsx", text: page },
    {
      file: "routes.fixture.ts",
      before: '    { name: "create-key", path: ',
      insert: '    { name: "almanac", path: "/almanac" },',
    },
  ],
};
