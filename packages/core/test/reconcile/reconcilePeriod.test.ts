import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { reconcilePeriod } from "../../src/services/reconcile/reconcilePeriod.ts"
import type { RecordedPage } from "../../src/services/reconcile/recordPage.ts"

const nothing: RecordedPage = { listed: [], payments: 0, returns: 0, unnamed: [], failed: 0, unreadable: 0 }
const period = { from: 0, until: 1 }

/** The result of reconciling a list with these pages, numbered from 0. */
const reconciled = (page: (at: number) => RecordedPage) => {
  let at = 0
  const recordPage = () => Effect.sync(() => page(at++))
  return Effect.result(reconcilePeriod(recordPage, aCnpj, period))
}

it.effect("gives up a list of more than a hundred thousand pages", () =>
  Effect.gen(function* () {
    let pages = 0
    expect(yield* reconciled((at) => ({ ...nothing, cursor: `${(pages = at + 1)}` }))).toMatchObject({
      failure: { _tag: "ProcessorUnavailable", operation: "payments", cause: "a list of more than 100000 pages" },
    })
    expect(pages).toBe(100_000)
  }),
)

it.effect("counts unrecorded and unreadable payments of all pages in its error", () =>
  Effect.gen(function* () {
    const twoPages = (last: Partial<RecordedPage>) => (at: number) =>
      at === 0 ? { ...nothing, failed: 1, unreadable: 1, cursor: "1" } : { ...nothing, ...last }
    expect(yield* reconciled(twoPages({ failed: 2 }))).toMatchObject({
      failure: { _tag: "StoreUnavailable", operation: "reconcile", cause: "3 payments could not be recorded" },
    })
    const cause = "3 of the payments and returns that are listed can't be read"
    expect(yield* reconciled((at) => ({ ...twoPages({ unreadable: 2 })(at), failed: 0 }))).toMatchObject({
      failure: { _tag: "ProcessorUnavailable", operation: "payments", cause },
    })
  }),
)

it.effect("counts a payment that is on two pages once", () =>
  Effect.gen(function* () {
    const pages = [
      { ...nothing, listed: ["a", "b"], payments: 1, returns: 2, cursor: "1" },
      { ...nothing, listed: ["b", "c"], payments: 1, returns: 1 },
    ]
    expect(yield* reconciled((at) => pages[at] ?? nothing)).toMatchObject({
      success: { listed: 3, payments: 2, returns: 3 },
    })
  }),
)
