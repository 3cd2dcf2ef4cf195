// The sections of the operator's desk, in the order of its navigation.
export const deskSections = [
  { id: "find", href: "/operator", label: "Find" },
  { id: "accounts", href: "/operator/accounts", label: "Accounts" },
  { id: "models", href: "/operator/models", label: "Models and routes" },
  { id: "catalog", href: "/operator/catalog", label: "Catalog" },
  { id: "money", href: "/operator/money", label: "Money" },
  { id: "incidents", href: "/operator/incidents", label: "Incidents" },
  { id: "system", href: "/operator/system", label: "System" },
] as const;
