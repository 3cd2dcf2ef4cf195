// The tables of the errors page, from the same list that explains a failed request in Logs.
import { apiErrors } from "../shared/api-errors.ts";

const titles = {
  request: "Your request",
  access: "Authentication and permissions",
  money: "Money and limits",
  missing: "Resources",
  ours: "Our side or the provider's",
} as const;

export function writeErrorTables(): string {
  const errors = Object.values(apiErrors);
  return Object.entries(titles)
    .map(([group, title]) => {
      const ofGroup = errors.filter((error) => error.group === group);
      const rows = [...Map.groupBy(ofGroup, explain)].map(
        ([text, same]) => `| ${[...new Set(same.map(nameOf))].join(", ")} | ${text} |`,
      );
      return `## ${title}\n\n| Status and code | Meaning |\n| --- | --- |\n${rows.join("\n")}`;
    })
    .join("\n\n");
}

type ListedError = (typeof apiErrors)[keyof typeof apiErrors];

function explain({ meaning, fix }: ListedError): string {
  return [meaning, fix].filter(Boolean).join(" ");
}

function nameOf({ status, code }: ListedError): string {
  return `${status} ${code === null ? "(no code)" : `\`${code}\``}`;
}
