import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeSortedRows } from "../src/SortedRows.ts"

interface Row {
  readonly at: number
  readonly id: string
}

const row: fc.Arbitrary<Row> = fc.record({
  at: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constant(1.5)),
  id: fc.string({ minLength: 1, maxLength: 3 }),
})

const compare = (a: Row, b: Row): number => {
  if (a.at !== b.at) return a.at - b.at
  return a.id < b.id ? -1 : 1
}

const isSame = (a: Row, b: Row): boolean => a.at === b.at && a.id === b.id

describe("sorted rows", () => {
  it("page through what they hold in order, in both directions, with a period and a condition", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { comparator: isSame, maxLength: 40 }),
        fc.record({
          newestFirst: fc.boolean(),
          limit: fc.integer({ min: 1, max: 7 }),
          from: fc.integer({ min: -4, max: 10 }),
          until: fc.integer({ min: -4, max: 10 }),
          gone: fc.integer({ min: 1, max: 5 }),
        }),
        (all, { newestFirst, limit, from, until, gone }) => {
          const rows = makeSortedRows<Row>((one) => one)
          for (const one of all) rows.add(one)
          const kept = all.filter((_, at) => at % gone !== 0)
          for (const one of all) if (!kept.includes(one)) rows.delete(one)
          const where = ({ id }: Row) => id.length < 3
          const expected = kept.filter((one) => one.at >= from && one.at < until && where(one)).toSorted(compare)
          const found: Array<Row> = []
          let cursor: string | undefined
          do {
            const request = { limit, ...(cursor !== undefined && { cursor }) }
            const page = Result.getOrThrow(rows.page({ request, newestFirst, period: { from, until }, where }))
            expect(page.items.length).toBeLessThanOrEqual(limit)
            found.push(...page.items)
            cursor = page.cursor
            if (cursor !== undefined) expect(page.items).toHaveLength(limit)
          } while (cursor !== undefined)
          expect(found).toEqual(newestFirst ? expected.toReversed() : expected)
        },
      ),
    )
  })

  it("refuse a cursor that comes from no page", () => {
    const rows = makeSortedRows<Row>((one) => one)
    for (const cursor of ["", "x", "1", "1 ", "' OR 1=1"]) {
      const page = rows.page({ request: { cursor, limit: 1 }, newestFirst: true })
      expect(Result.isFailure(page) && page.failure._tag).toBe("StoreUnavailable")
    }
  })
})
