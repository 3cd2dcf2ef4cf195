// A page's Markdown with this instance's facts in it.
import type { DocFacts } from "./doc-facts.ts";
import { docSnippets } from "./snippets.ts";
import { writeErrorTables } from "./write-error-tables.ts";

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
