import { DueChecks, Reconciliations, StoreUnavailable } from "@pixcharge/core"
import type { Pix } from "@pixcharge/embed"
import { memoryStore } from "@pixcharge/store-memory"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { answerMs } from "../src/notices/takeClaims.ts"
import { company } from "./bank/openBank.ts"
import { doWhatIsDue, holdAnswerTime, loggedBy, noticeUrl, openShop, type ShopOptions } from "./bank/openShop.ts"

interface Claimed {
  readonly endToEndId: string
  readonly txid?: string
}

const notify = async (pix: Pix, claims: ReadonlyArray<Claimed>): Promise<number> => {
  const body = JSON.stringify({ pix: claims.map(({ endToEndId, txid }) => ({ endToEndId, txid })) })
  return (await pix.fetch(new Request(`https://shop.invalid${noticeUrl(company)}/pix`, { method: "POST", body })))
    .status
}

const isLookup = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === "GET" && path.startsWith("/pix/")

/** Makes a store that can't schedule checks of charges, and records the companies that are woken. */
const withoutChecks = () => {
  const woken: Array<string> = []
  const store = Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) => {
      const checks = Context.get(context, DueChecks)
      const reconciliations = Context.get(context, Reconciliations)
      return context.pipe(
        Context.add(DueChecks, {
          ...checks,
          scheduleCharge: () => Effect.fail(new StoreUnavailable({ operation: "scheduleCharge" })),
        }),
        Context.add(Reconciliations, {
          ...reconciliations,
          wake: (issuer, now) =>
            Effect.andThen(
              Effect.sync(() => woken.push(issuer)),
              reconciliations.wake(issuer, now),
            ),
        }),
      )
    }),
  )
  return { store, woken }
}

/** Opens a shop whose bank holds back its answers to the look-ups of notices. No list is due. */
const openSlow = (options: ShopOptions = {}) =>
  Effect.gen(function* () {
    const shop = yield* openShop({ ...options, background: false })
    const { pix, psp } = shop
    const charge = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 }))
    yield* Effect.promise(() => doWhatIsDue(pix))
    const payment = psp.pay(company.cnpj, charge.txid)
    const held = psp.faults.hold(isLookup)
    yield* Effect.addFinalizer(() => Effect.sync(held.release))
    const passAnswerTime = holdAnswerTime()
    /** Sends a notice, and lets the deadline of its answer pass during the look-up. Returns the answer's status. */
    const answerTo = async (claims: ReadonlyArray<Claimed>) => {
      const answered = notify(pix, claims)
      await held.arrived
      await Effect.runPromise(passAnswerTime)
      return answered
    }
    return { ...shop, charge, payment, held, answerTo }
  })

const countPayments = async (pix: Pix): Promise<number> => {
  let count = 0
  for await (const _ of pix.payments(company.cnpj, { from: 0, until: Date.now() + 60_000 })) count++
  return count
}

describe("a notice whose look-up takes longer than three seconds", () => {
  it.live("is accepted in less than five seconds, and a check of its charge finds the payment", () =>
    Effect.gen(function* () {
      const { pix, charge, payment, answerTo } = yield* openSlow()
      expect(answerMs).toBeLessThan(5_000)
      expect(yield* Effect.promise(() => answerTo([payment]))).toBe(200)
      yield* Effect.promise(() => doWhatIsDue(pix))
      expect((yield* Effect.promise(() => pix.find(company.cnpj, charge.id)))._tag).toBe("Paid")
    }),
  )

  it.live("must be sent again if its payment has no charge, but the payment is recorded once the bank answers", () =>
    Effect.gen(function* () {
      const { pix, psp, held, answerTo } = yield* openSlow()
      const unnamed = psp.payToKey(company.pixKey, 700)
      expect(yield* Effect.promise(() => answerTo([unnamed]))).toBe(503)
      held.release()
      yield* Effect.promise(() => expect.poll(async () => await countPayments(pix)).toBe(1))
      expect(yield* Effect.promise(() => notify(pix, [unnamed]))).toBe(200)
    }),
  )

  it.live("must be sent again if the check can't be scheduled, and its company's payments are listed soon", () =>
    Effect.gen(function* () {
      const { store, woken } = withoutChecks()
      const { payment, answerTo } = yield* openSlow({ store })
      const output = yield* Effect.promise(() => loggedBy(async () => expect(await answerTo([payment])).toBe(503)))
      expect(output).toContain("WARN (#0): The charges of a notice could not be scheduled for a check")
      expect(woken).toEqual([company.cnpj])
    }),
  )
})
