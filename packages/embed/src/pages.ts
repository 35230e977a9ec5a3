import type { Page, PageRequest } from "@pixcharge/core"

const pageSize = 500

/** The page that a host asks for, by default of 500 items. */
export const pageRequest = ({ limit = pageSize, cursor }: Partial<PageRequest> = {}): PageRequest => ({
  limit,
  ...(cursor !== undefined && { cursor }),
})

/** Every item of a list, read page by page as they are wanted. */
export async function* pages<A>(read: (page: PageRequest) => Promise<Page<A>>): AsyncGenerator<A, void> {
  let page: Page<A> = await read(pageRequest())
  yield* page.items
  while (page.cursor !== undefined) {
    page = await read(pageRequest({ cursor: page.cursor }))
    yield* page.items
  }
}

/** A page as a plain host sees it. */
export const mapPage = <A, B>({ items, ...page }: Page<A>, plain: (item: A) => B): Page<B> => ({
  ...page,
  items: items.map(plain),
})
