import type { PageRequest } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { isWithin, type PageOptions, readPage } from "../src/readPage.ts"

interface Row {
  readonly at: number
  readonly id: string
}

const rows = ["b", "a", "c", "d"].map((id, index): Row => ({ at: index < 2 ? 5 : -1.5 * index, id }))
// Oldest first: d (-4.5), c (-3), a (5), b (5).

const read = (request: PageRequest, options: Partial<PageOptions<Row>> = {}, list = "rows") =>
  Effect.runSync(
    Effect.result(readPage(list, () => rows, { position: ({ at, id }) => ({ at, id }), request, ...options })),
  )

const idsIn = (page: ReturnType<typeof read>): string =>
  Result.getOrThrow(page)
    .items.map(({ id }) => id)
    .join("")

const pages = (limit: number, options: Partial<PageOptions<Row>> = {}): ReadonlyArray<string> => {
  const all: Array<string> = []
  let cursor: string | undefined
  do {
    const page = read({ limit, ...(cursor !== undefined && { cursor }) }, options)
    all.push(idsIn(page))
    cursor = Result.getOrThrow(page).cursor
  } while (cursor !== undefined && all.length < 9)
  return all
}

describe("a list", () => {
  it("is sorted by time, oldest first, then by id, and continues after the previous page", () => {
    expect([pages(10), pages(4), pages(3), pages(2), pages(1)]).toEqual([
      ["dcab"],
      ["dcab"],
      ["dca", "b"],
      ["dc", "ab"],
      ["d", "c", "a", "b"],
    ])
  })

  it("can be newest first", () => {
    expect([pages(10, { newestFirst: true }), pages(1, { newestFirst: true })]).toEqual([
      ["bacd"],
      ["b", "a", "c", "d"],
    ])
  })

  it("includes the start of its period, but not the end", () => {
    const period = (from: number, until: number) => idsIn(read({ limit: 10 }, { period: { from, until } }))
    expect([period(-4.5, 5), period(-4.4, 5.1), period(-3, -3)]).toEqual(["dc", "cab", ""])
    expect([isWithin(undefined, 7), isWithin({ from: 7, until: 8 }, 7), isWithin({ from: 6, until: 7 }, 7)]).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe("a cursor", () => {
  it.each(["rows -4.5 d", "rows -4 d", "rows -4.25 with\na line"])("contains its list and position: %j", (cursor) => {
    expect(idsIn(read({ limit: 10, cursor }))).toBe("cab")
  })

  it.each([
    "others -4.5 d",
    "-4.5 d",
    "rows -4.5 ",
    "rows -4.5",
    "rows d d",
    "rows -4. d",
    "rows - d",
    "rows --4 d",
    "rows -4.5.5 d",
    " rows -4.5 d",
    "ro ws -4.5 d",
    "",
  ])("is refused if it belongs to no page of the list: %j", (cursor) => {
    expect(read({ limit: 10, cursor })).toMatchObject({ failure: { _tag: "InvalidFilter", field: "cursor" } })
  })
})
