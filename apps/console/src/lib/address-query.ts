// Lists and parameters in the query string of an address: `?keys=a,b&range=7d`.

export function parseList(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").filter((part) => part !== "");
}

export function writeQuery(params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
