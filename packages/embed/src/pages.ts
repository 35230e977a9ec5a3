import type { Page, PageRequest } from "@pixcharge/core"

const pageSize = 500

/** The page that a host asks for, of the usual size unless told. */
export const pageOf = (page: Partial<PageRequest> = {}): PageRequest => ({ limit: pageSize, ...page })

/** Every item of a list, read page by page as they are wanted. */
export async function* pages<A>(read: (page: PageRequest) => Promise<Page<A>>): AsyncGenerator<A, void> {
  let page: Page<A> = await read(pageOf())
  yield* page.items
  while (page.cursor !== undefined) {
    page = await read(pageOf({ cursor: page.cursor }))
    yield* page.items
  }
}
