import { Bookkeeping, CallbackEndpoints, ChargeStore, CompanyDirectory, ExceptionStore } from "@pixcharge/core"
import { defaultKinds } from "@pixcharge/core/charges"
import { aCnpj, anEndToEndId, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { ChargeMoves } from "../../src/services/charges/ChargeMoves.ts"
import { ExceptionMoves } from "../../src/services/charges/ExceptionMoves.ts"
import { anIssuedCharge, scenario } from "../World.ts"

const silent = { notify: () => Effect.void, notifyAll: Effect.void, next: Effect.never, count: Effect.succeed(0) }

describe("a move whose commit is always stale", () => {
  scenario("fails for a charge after sixteen rounds", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      let rounds = 0
      const moves = new ChargeMoves({
        store: {
          ...(yield* ChargeStore),
          commit: () => Effect.sync(() => ({ moved: ++rounds < 0, freshPayments: [], foreignPayments: [] })),
        },
        exceptions: yield* ExceptionStore,
        directory: yield* CompanyDirectory,
        endpoints: yield* CallbackEndpoints,
        published: defaultKinds,
        signal: silent,
      })
      const failure = yield* Effect.flip(moves.move(charge, { _tag: "Cancel", by: "host" }))
      expect(failure).toMatchObject({ _tag: "StoreUnavailable", cause: "the charge kept changing" })
      expect(rounds).toBe(16)
    }),
  )

  scenario("fails for an exception after sixteen rounds", () =>
    Effect.gen(function* () {
      const notice = { issuer: aCnpj, endToEndId: anEndToEndId(), amountCents: cents(500), paidAt: fixtureNow }
      yield* (yield* Bookkeeping).recordReceivedPayment({ ...notice, returns: [] })
      let rounds = 0
      const moves = new ExceptionMoves({
        exceptions: { ...(yield* ExceptionStore), commit: () => Effect.sync(() => ++rounds < 0) },
        directory: yield* CompanyDirectory,
        endpoints: yield* CallbackEndpoints,
        published: defaultKinds,
        signal: silent,
      })
      const failure = yield* Effect.flip(moves.move(aCnpj, notice.endToEndId, { _tag: "RequestRefund" }))
      expect(failure).toMatchObject({ _tag: "StoreUnavailable", cause: "the exception kept changing" })
      expect(rounds).toBe(16)
    }),
  )
})
