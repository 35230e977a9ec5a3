import type { InvalidFilter, Page, PageRequest, StoreUnavailable, TooManyReports } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"

type List<A> = (page: PageRequest) => Effect.Effect<Page<A>, StoreUnavailable | InvalidFilter | TooManyReports>

/** Reads all pages, writing something new after each. */
export const pagedUnderInserts = Effect.fnUntraced(function* <A, E, R>(
  list: List<A>,
  limit: number,
  write: Effect.Effect<unknown, E, R>,
) {
  const items: Array<A> = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page: Page<A> = yield* list({ limit, ...(cursor !== undefined && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    items.push(...page.items)
    cursor = page.cursor
    pages += 1
    yield* write
  } while (cursor !== undefined && pages < 100)
  return items
})
