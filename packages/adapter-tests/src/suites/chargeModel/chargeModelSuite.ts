import { partialRefundStatus } from "@pixcharge/core/charges"
import type * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, command } from "./Command.ts"
import { Model } from "./Model.ts"
import { makeService } from "./Service.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "../StoreDriver.ts"

export interface ModelHooks extends StoreHooks {
  /** The number of histories, by default 150. The variable `LONG` makes it twenty times as many. */
  readonly histories?: number
}

const timeoutMs = 600_000

/** Runs a history on the service and on the model, and compares answers and stored state after every step. */
const replay = (history: ReadonlyArray<Command>) =>
  Effect.gen(function* () {
    const service = yield* makeService
    const model = new Model()
    for (const [index, one] of history.entries()) {
      const expected = model.step(one)
      const step = `step ${index + 1}, ${one._tag}`
      expect({ step, answer: yield* service.run(one) }).toEqual({ step, answer: expected })
      expect({ step, ...(yield* service.snapshot) }).toEqual({ step, ...model.snapshot() })
    }
  })

/** Runs a history in bursts of concurrent commands, and checks the rules that hold in any order. */
const race = (bursts: ReadonlyArray<ReadonlyArray<Command>>) =>
  Effect.gen(function* () {
    const service = yield* makeService
    for (const burst of bursts) {
      const answers = yield* Effect.all(
        burst.map((one) => service.run(one)),
        { concurrency: "unbounded" },
      )
      expect(answers).not.toContain("StoreUnavailable")
      const { charges, payments, exceptions, events } = yield* service.snapshot
      // Every received cent settled a charge, was returned, or is an open exception.
      const settling = charges.flatMap((line) => {
        const [charge = "", , payment = "-"] = line.split(" ")
        return payment === "-" ? [] : [`${charge === "3" ? 1 : 0}/${payment}`]
      })
      expect(new Set(settling).size).toBe(settling.length)
      const open = exceptions.map((line) => line.split(" ")[0])
      expect(open.filter((key) => settling.includes(key ?? ""))).toEqual([])
      expect(payments.length).toBeGreaterThanOrEqual(settling.length + open.length)
      // An event exists if and only if its change has happened.
      const happened = charges.flatMap((line) => {
        const [charge, state] = line.split(" ")
        const wasPaid = state === "Paid" || state === "Refunding" || state === "Refunded"
        return [...(wasPaid ? [`${charge} paid`] : []), ...(state === "Refunded" ? [`${charge} refunded`] : [])]
      })
      expect(events.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(happened.toSorted())
    }
    // The books show as much refunded money as the bank, and never more than was paid.
    for (const charge of yield* service.charges) {
      if (!("payment" in charge)) continue
      const known = charge.returns
        .filter(({ kind }) => kind === "refund")
        .reduce((sum, row) => sum + row.amountCents, 0)
      const refundedAtBank = service.bank.refundedCents(charge.issuer, charge.payment.endToEndId)
      expect(refundedAtBank).toBeLessThanOrEqual(charge.payment.amountCents)
      const requestedPart = charge.partialRefunds?.find(
        (part) => partialRefundStatus(part, charge.returns) === "refunding",
      )
      if (charge._tag !== "Refunding" && requestedPart === undefined) expect(known).toBe(refundedAtBank)
    }
  })

/**
 * Tests the whole service on a store against a small model: random histories of charges, payments, refunds that fail in every
 * way, outside returns and deliveries, sequential and concurrent.
 */
export const chargeModelSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: ModelHooks = {},
): void => {
  describe(`${name}: the life of charges`, () => {
    const { onEmptyStore } = storeTests(layer, hooks)
    const numRuns = (hooks.histories ?? 150) * (process.env["LONG"] ? 20 : 1)

    it(
      "matches the model after every step",
      () =>
        fc.assert(
          fc.asyncProperty(fc.array(command, { maxLength: 60, size: "max" }), (history) =>
            onEmptyStore(replay(history)),
          ),
          { numRuns },
        ),
      timeoutMs,
    )

    it(
      "keeps money and events consistent under concurrent commands",
      () =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.array(command, { minLength: 2, maxLength: 12 }), { maxLength: 6, size: "max" }),
            (bursts) => onEmptyStore(race(bursts)),
          ),
          { numRuns },
        ),
      timeoutMs,
    )
  })
}
