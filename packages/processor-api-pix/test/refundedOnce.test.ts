import { chargeTxid } from "@pixcharge/core/plain"
import { createPix, type Pix } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import type { BankWays, SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { noCallbacks, openShop, registration } from "./bank/openShop.ts"

type Shop = Effect.Success<ReturnType<typeof openShop>>

const { cnpj } = company

const aPaidCharge = async (psp: SimulatedBank, books: ReadonlyArray<Pix>) => {
  const id = randomUUID()
  for (const pix of books) await pix.issue(cnpj, { id, amountCents: 1990 })
  const { endToEndId } = psp.pay(cnpj, chargeTxid(cnpj, id))
  await Promise.all(books.map((pix) => expect.poll(() => findReconciledStatus(pix, id)).toBe("paid")))
  return { id, endToEndId }
}

const findReconciledStatus = async (pix: Pix, id: string): Promise<string> => {
  await pix.reconcile(cnpj, { from: Date.now() - 60_000, until: Date.now() })
  return (await pix.find(cnpj, id)).status
}

const returned = ({ ledger }: SimulatedBank, endToEndId: string): ReadonlyArray<number> =>
  (ledger.payments.get(endToEndId)?.returns ?? [])
    .filter(({ status }) => status !== "rejected")
    .map(({ amountCents }) => amountCents)

const outcome = <A>(call: Promise<A>, toStatus: (answer: A) => string): Promise<string> =>
  call.then(toStatus, (error: { readonly _tag: string }) => error._tag)

const refunds = {
  "a charge": async ({ pix, psp }: Shop) => {
    const { id, endToEndId } = await aPaidCharge(psp, [pix])
    return {
      endToEndId,
      cents: 1990,
      ask: () => outcome(pix.refund(cnpj, id), ({ status }) => status),
      end: "refunded",
    }
  },
  "a partial refund": async ({ pix, psp }: Shop) => {
    const { id, endToEndId } = await aPaidCharge(psp, [pix])
    const part = { key: "a", amountCents: 500 }
    const ask = () => outcome(pix.refundPart(cnpj, id, part), ({ partialRefund }) => partialRefund.status)
    return { endToEndId, cents: 500, ask, end: "returned" }
  },
  "an exception": async ({ pix, psp }: Shop) => {
    const { id } = await aPaidCharge(psp, [pix])
    const { endToEndId } = psp.pay(cnpj, chargeTxid(cnpj, id))
    await expect
      .poll(async () => {
        await findReconciledStatus(pix, id)
        const open = []
        for await (const one of pix.exceptions.list(cnpj)) open.push(one)
        return open.length
      })
      .toBe(1)
    const ask = () => outcome(pix.exceptions.refund(cnpj, endToEndId), ({ status }) => status)
    return { endToEndId, cents: 1990, ask, end: "returned" }
  },
}

interface Call {
  readonly method: string
  readonly path: string
}

const isReturn = ({ path }: Call): boolean => path.includes("/devolucao/")
const isReturnPut = (call: Call): boolean => call.method === "PUT" && isReturn(call)

const refusal = (status: number) => ({
  status,
  contentType: "application/problem+json",
  body: {
    type: "https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida",
    title: "Devolução inválida.",
    status,
    detail: "A devolução não pode ser feita.",
  },
})

type Reshape = NonNullable<BankWays["reshape"]>

const withoutReturns: Reshape = (answer) => ({
  ...answer,
  body: JSON.parse(JSON.stringify(answer.body), (key, value: unknown) => (key === "devolucoes" ? [] : value)),
})

const withoutPayments: Reshape = (answer) => ({ ...answer, body: Object.assign({}, answer.body, { pix: [] }) })

/** What look-ups show until the bank's data is up to date. */
const lags: Readonly<Record<string, Reshape>> = {
  everything: (answer) => answer,
  "only the payment": (answer, call) => (isReturn(call) ? refusal(404) : answer),
  "neither return nor payment": (answer, call) => (call.path === "/pix" ? withoutPayments(answer, call) : refusal(404)),
  "the payment without its return": (answer, call) => (isReturn(call) ? refusal(404) : withoutReturns(answer, call)),
}

const repeats: ReadonlyArray<BankWays["repeatedReturn"]> = ["refuses", "repeats"]

describe("a refund that the bank makes but reports as refused", () => {
  for (const [what, request] of Object.entries(refunds)) {
    for (const [shown, lag] of Object.entries(lags)) {
      it.live(
        `returns the money of ${what} once if look-ups show ${shown} at first`,
        () =>
          Effect.gen(function* () {
            for (const repeatedReturn of repeats) {
              const shop = yield* openShop({
                companies: [company],
                psp: { ways: { repeatedReturn, returnPace: "atOnce" } },
              })
              for (const status of [400, 404, 422]) {
                yield* Effect.promise(async () => {
                  const { ask, endToEndId, cents, end } = await request(shop)
                  const { ways } = shop.psp
                  let refusals = 1
                  ways.reshape = (answer, call) => {
                    if (call.method === "GET") return lag(answer, call)
                    return isReturnPut(call) && refusals-- > 0 ? refusal(status) : answer
                  }
                  const outcomes = [await ask(), await ask(), await ask()]
                  expect(refusals).toBeLessThan(1)
                  expect([end, "refunding", "RefundRejected", "ExceptionRefundRejected"]).toEqual(
                    expect.arrayContaining(outcomes),
                  )
                  expect(returned(shop.psp, endToEndId)).toEqual([cents])
                  delete ways.reshape
                  await expect.poll(ask).toBe(end)
                  expect(returned(shop.psp, endToEndId)).toEqual([cents])
                })
              }
            }
          }),
        60_000,
      )
    }
  }
})

/** Opens a second instance at the same bank with its own books, like books that were restored from a backup. */
const openBackup = ({ bank }: Shop) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      createPix({
        environment: "production",
        store: memoryStore({ inProduction: true }),
        directory: memoryDirectory({ companies: [registration(company)] }),
        processor: bank.processor,
        notices: bank.notices,
        callbacks: noCallbacks,
        tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
      }),
    ),
    (open) => Effect.promise(open.dispose),
  )

const part = (pix: Pix, id: string, key: string, amountCents: number) =>
  outcome(pix.refundPart(cnpj, id, { key, amountCents }), ({ partialRefund }) => partialRefund.status)

describe("partial refunds from before a restore", () => {
  for (const isReconciled of [false, true]) {
    const when = isReconciled ? "after a reconciliation" : "before a reconciliation"
    it.live(
      `keep their keys, and no other refund gets those keys (${when})`,
      () =>
        Effect.gen(function* () {
          for (const repeatedReturn of repeats) {
            const shop = yield* openShop({
              companies: [company],
              psp: { ways: { repeatedReturn, returnPace: "atOnce" } },
            })
            const { pix, psp } = shop
            const backup = yield* openBackup(shop)
            yield* Effect.promise(async () => {
              const { id, endToEndId } = await aPaidCharge(psp, [pix, backup])
              expect(await part(pix, id, "a", 500)).toBe("returned")
              expect(await part(pix, id, "b", 300)).toBe("returned")
              if (isReconciled) await findReconciledStatus(backup, id)
              // The parts are requested again in another order, and with a new part before them.
              expect(await part(backup, id, "c", 500)).toBe("returned")
              expect(returned(psp, endToEndId)).toEqual([500, 300, 500])
              expect(await part(backup, id, "b", 301)).toBe("PartialRefundConflict")
              expect(await part(backup, id, "b", 300)).toBe("returned")
              expect(await part(backup, id, "a", 500)).toBe("returned")
              expect(returned(psp, endToEndId)).toEqual([500, 300, 500])
              expect(await part(backup, id, "d", 690)).toBe("returned")
              expect(returned(psp, endToEndId)).toEqual([500, 300, 500, 690])
              const { status, returns } = await backup.find(cnpj, id)
              expect(status).toBe("refunded")
              expect(returns.map(({ kind, amountCents }) => `${kind} ${amountCents}`).toSorted()).toEqual([
                "refund 300",
                "refund 500",
                "refund 500",
                "refund 690",
              ])
            })
          }
        }),
      60_000,
    )
  }

  it.live("return the money only once if their first attempt was rejected", () =>
    Effect.gen(function* () {
      const shop = yield* openShop({ companies: [company], psp: { ways: { returnPace: "manual" } } })
      const { pix, psp } = shop
      const backup = yield* openBackup(shop)
      yield* Effect.promise(async () => {
        const { id, endToEndId } = await aPaidCharge(psp, [pix, backup])
        const last = () => psp.ledger.payments.get(endToEndId)?.returns.at(-1)?.id ?? ""
        expect(await part(pix, id, "a", 500)).toBe("refunding")
        psp.endReturn(endToEndId, last(), "rejected")
        expect(await part(pix, id, "a", 500)).toBe("RefundRejected")
        expect(await part(pix, id, "a", 500)).toBe("refunding")
        psp.endReturn(endToEndId, last(), "returned")
        expect(await part(pix, id, "a", 500)).toBe("returned")
        expect(await part(backup, id, "a", 500)).toBe("returned")
        expect(await part(backup, id, "a", 500)).toBe("returned")
        expect(returned(psp, endToEndId)).toEqual([500])
      })
    }),
  )
})
