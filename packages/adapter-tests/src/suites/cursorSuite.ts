import { Actor, AuditLog, ChargeLists, ExceptionStore, Outbox, type Page, type PageRequest } from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import { parseRecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aChange, fixtureNow } from "../fixtures/Charges.ts"
import { aCnpj } from "../fixtures/Companies.ts"
import { aReturn } from "../fixtures/Payments.ts"
import { aCycleCharge } from "../fixtures/Recurrences.ts"
import { commit, commitException, insertApproved, insertPaid, recordUnmatched, resolved, tryCharge } from "./commits.ts"
import { queueEvents } from "./outbox/queue.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "./StoreDriver.ts"

const always = { from: 0, until: fixtureNow * 2 }

const recurrenceId = Result.getOrThrow(parseRecurrenceId(crypto.randomUUID()))

/** Stores two items of every list, so each list has a cursor. */
const fill = Effect.gen(function* () {
  for (let index = 0; index < 2; index++) {
    const charge = yield* insertPaid()
    yield* commit(aChange(charge, { returns: [aReturn(charge.payment)] }))
    yield* queueEvents("loja")
    yield* recordUnmatched()
    const payment = yield* recordUnmatched()
    const { endToEndId } = payment
    const audit = { kind: "exceptionResolved", endToEndId, hasNote: true } as const
    yield* commitException(payment, resolved, { audit }).pipe(Effect.provideService(Actor, "ana"))
  }
  yield* insertApproved()
  const approved = yield* insertApproved({ id: recurrenceId })
  const { recurrence } = yield* tryCharge(approved, aCycleCharge(approved))
  yield* tryCharge(recurrence, aCycleCharge(approved, { cycle: 2 }))
})

type Read = (page: PageRequest) => Effect.Effect<Page<unknown>, { readonly _tag: string }>

const lists = Effect.gen(function* () {
  const [charges, exceptions, outbox, audit, recurrences] = [
    yield* ChargeLists,
    yield* ExceptionStore,
    yield* Outbox,
    yield* AuditLog,
    yield* RecurrenceStore,
  ]
  const all: Readonly<Record<string, Read>> = {
    charges: (page) => charges.charges(aCnpj, always, page),
    payments: (page) => charges.payments(aCnpj, always, page),
    returns: (page) => charges.returns(aCnpj, always, page),
    openExceptions: (page) => exceptions.listOpen(aCnpj, page),
    exceptions: (page) => exceptions.search(aCnpj, always, page),
    deliveries: (page) => outbox.list(aCnpj, {}, page),
    audit: (page) => audit.list(aCnpj, {}, page),
    recurrences: (page) => recurrences.list(aCnpj, {}, page),
    cycles: (page) => recurrences.charges(aCnpj, recurrenceId, page),
  }
  return Object.entries(all)
})

/** Strings that aren't cursors. */
const invalidCursors = [
  "",
  " ",
  "nenhuma",
  "0",
  "e30",
  "W10",
  "bnVsbA",
  "\0",
  "\ud800",
  "1_2",
  "../..",
  "x".repeat(5_000),
]

/** Tests of the cursors of a store's lists. */
export const cursorSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  describe(`${name}: cursors`, () => {
    const { test } = storeTests(layer, hooks)

    test("refuses a foreign cursor, even a cursor of another list, as an invalid filter", () =>
      Effect.gen(function* () {
        yield* fill
        const known = yield* lists
        const cursors = yield* Effect.forEach(known, ([, read]) =>
          Effect.map(read({ limit: 1 }), ({ cursor = "" }) => cursor),
        )
        expect(cursors).not.toContain("")
        for (const [at, [list, read]] of known.entries()) {
          const own = cursors[at] ?? ""
          expect((yield* read({ limit: 1, cursor: own })).items, list).toHaveLength(1)
          for (const cursor of [...invalidCursors, own.slice(1), ...cursors.filter((one) => one !== own)]) {
            const failure = yield* Effect.flip(read({ limit: 1, cursor }))
            expect(failure, `${list}: ${cursor}`).toMatchObject({ _tag: "InvalidFilter", field: "cursor" })
          }
        }
      }))
  })
}
