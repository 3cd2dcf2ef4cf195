// Reads a list of Stripe page by page, so that what is found can be looked up together. No item is left out or read
// twice: each page begins after the last item of the one before.

type Page<Item> = { readonly data: readonly Item[]; readonly has_more: boolean };

export async function* pagesOf<Item extends { readonly id: string }>(
  read: (after: { starting_after?: string }) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  let last: string | undefined;
  do {
    const page = await read(last === undefined ? {} : { starting_after: last });
    yield page.data;
    last = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (last !== undefined);
}
