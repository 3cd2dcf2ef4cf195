// Finds a sentence of which parts are elements of their own, such as figures, by all of its text.

/** For `getByText` and its relatives: the innermost element with this text. */
export function wholeText(text: string | RegExp) {
  const isIt = (element: Element | null): boolean => {
    const shown = element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
    return typeof text === "string" ? shown === text : text.test(shown);
  };
  return (_: string, element: Element | null): boolean =>
    element !== null && isIt(element) && ![...element.children].some(isIt);
}
