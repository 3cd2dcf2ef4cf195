// What an account, a project, a member or a key may spend in a period: set, listed, and told of in time.
export { type Budget, listBudgets, queryTimeZone } from "./list-budgets.ts";
export { mailBudgets } from "./mail-budgets.ts";
export { budgetsMax, removeBudget, setBudget, setTimeZone } from "./set-budget.ts";
