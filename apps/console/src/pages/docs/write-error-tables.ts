// The tables of the errors page, from the same list that explains a failed request in Logs.
import { type ApiError, apiErrors, type ErrorGroup } from "../../product/usage/api-errors.ts";

const titles: Readonly<Record<ErrorGroup, string>> = {
  request: "Your request",
  access: "Authentication and permissions",
  money: "Money and limits",
  missing: "Resources",
  ours: "Our side or the provider's",
};

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
