// A page's Markdown with this instance's facts in it.
import { type ApiError, apiErrors, type ErrorGroup } from "../../product/usage/api-errors.ts";
import type { DocFacts } from "./doc-facts.ts";
import { docSnippets } from "./snippets.ts";

export { docSnippets };

/** Fills in `{{baseUrl}}` and the like; an unknown name is a bug in the page. */
export function fillFacts(text: string, facts: DocFacts): string {
  const whole = text.replace("{{errorTables}}", writeErrorTables);
  return whole.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = Object.entries(facts).find(([known]) => known === name)?.[1];
    if (value === undefined) throw new Error(`the docs have no {{${name}}}`);
    return value;
  });
}

const snippetFence = /^```snippet ([\w-]+)\n```$/gm;

/** For reading elsewhere: with the snippets written out. */
export function fillMarkdown(text: string, facts: DocFacts): string {
  const groups = docSnippets(facts);
  return fillFacts(text, facts).replace(snippetFence, (_, name: string) =>
    (groups[name] ?? [])
      .map(({ label, language, code }) => `${label}:\n\n\`\`\`${language}\n${code}\n\`\`\``)
      .join("\n\n"),
  );
}

/** The snippets that a page uses. */
export function snippetNames(text: string): readonly string[] {
  return [...text.matchAll(snippetFence)].flatMap(([, name]) => name ?? []);
}

const titles: Readonly<Record<ErrorGroup, string>> = {
  request: "Your request",
  access: "Authentication and permissions",
  money: "Money and limits",
  missing: "Resources",
  ours: "Our side or the provider's",
};

/** The tables of the errors page, from the same list that explains a failed request in Logs. */
export function writeErrorTables(): string {
  const errors = Object.values(apiErrors);
  return Object.entries(titles)
    .map(([group, title]) => {
      const ofGroup = errors.filter((error) => error.group === group);
      const rows = [...Map.groupBy(ofGroup, (error) => error.text)].map(
        ([text, same]) => `| ${[...new Set(same.map(nameOf))].join(", ")} | ${text} |`,
      );
      return `## ${title}\n\n| Status and code | Meaning |\n| --- | --- |\n${rows.join("\n")}`;
    })
    .join("\n\n");
}

function nameOf({ status, code }: ApiError): string {
  return `${status} ${code === null ? "(no code)" : `\`${code}\``}`;
}
