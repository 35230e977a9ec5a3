import type { Pix } from "@pixcharge/embed"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect, vi } from "vitest"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

interface Claimed {
  readonly endToEndId: string
  readonly txid?: string
  readonly devolucoes?: unknown
}

const notify = async (pix: Pix, pixes: ReadonlyArray<Claimed>): Promise<number> => {
  const body = JSON.stringify({ pix: pixes })
  const { status } = await pix.fetch(
    new Request(`https://shop.invalid${noticeUrl(company)}/pix`, { method: "POST", body }),
  )
  return status
}

const claim = ({ endToEndId, txid }: Claimed): Claimed => ({ endToEndId, ...(txid !== undefined && { txid }) })

const issue = (pix: Pix) => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })

/** Issues ten charges at a time. On a busy machine, more would exceed a call's timeout. */
const issueMany = async (pix: Pix, count: number) => {
  const issued: Array<Awaited<ReturnType<typeof issue>>> = []
  while (issued.length < count) issued.push(...(await Promise.all(Array.from({ length: 10 }, () => issue(pix)))))
  return issued
}

const listPayments = async (pix: Pix): Promise<number> => {
  let count = 0
  for await (const _ of pix.payments(company.cnpj, { from: 0, until: Date.now() + 60_000 })) count++
  return count
}

/** Sends the notice every half a minute, at most twenty times. Returns whether `isDone` became true. */
const isSentUntil = async (
  pix: Pix,
  pixes: ReadonlyArray<Claimed>,
  isDone: (status: number) => boolean | Promise<boolean>,
): Promise<boolean> => {
  const began = Date.now()
  const clock = vi.spyOn(Date, "now")
  try {
    for (let sent = 1; sent <= 20; sent++) {
      clock.mockReturnValue(began + sent * 30_000)
      if (await isDone(await notify(pix, pixes))) return true
    }
    return false
  } finally {
    clock.mockRestore()
  }
}

const findCents = ({ amountCents }: { readonly amountCents: number }): number => amountCents

const isTaken = (status: number): boolean => status === 200

describe("a notice of more payments than the look-up limit", () => {
  it.live(
    "records the payments of our 3 charges before 150 payments of another system, and is accepted in the end",
    () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop()
        const ours = yield* Effect.promise(() => Promise.all([issue(pix), issue(pix), issue(pix)]))
        const others = Array.from({ length: 150 }, (_, n) => psp.payToKey(company.pixKey, 100 + n, `outro${n}`))
        const pixes = [...others, ...ours.map(({ txid }) => psp.pay(company.cnpj, txid))].map(claim)
        expect(yield* Effect.promise(() => notify(pix, pixes))).toBe(503)
        for (const { id } of ours) {
          expect((yield* Effect.promise(() => pix.find(company.cnpj, id)))._tag).toBe("Paid")
        }
        expect(yield* Effect.promise(() => isSentUntil(pix, pixes, isTaken))).toBe(true)
        expect(yield* Effect.promise(() => listPayments(pix))).toBe(153)
        const before = psp.exchanges.length
        expect(yield* Effect.promise(() => notify(pix, pixes))).toBe(200)
        expect(psp.exchanges.length).toBe(before)
      }),
  )

  for (const [how, makeDevolucoes] of [
    ["by their ids", (id: string) => [{ id, status: "DEVOLVIDO" }]],
    ["without ids", () => [{}]],
  ] as const) {
    it.live(`records 120 payments of our charges with their returns, which the notice shows ${how}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop()
        const ours = yield* Effect.promise(() => issueMany(pix, 120))
        const pixes = ours.map(({ txid }) => {
          const payment = psp.pay(company.cnpj, txid)
          const { id } = psp.returnOutside(payment.endToEndId, 90, "ORIGINAL")
          return { ...claim(payment), devolucoes: makeDevolucoes(id) }
        })
        // A busy machine can accept the notice by scheduling checks. The payments are then recorded only by a later
        // notice.
        const areRecorded = async (status: number) => {
          const charges = await Promise.all(ours.map(({ id }) => pix.find(company.cnpj, id)))
          const cents = charges.flatMap((charge) => (charge._tag === "Paid" ? charge.returns : [])).map(findCents)
          return status === 200 && cents.length === 120 && cents.every((each) => each === 90)
        }
        expect(yield* Effect.promise(() => isSentUntil(pix, pixes, areRecorded))).toBe(true)
      }),
    )
  }

  it.live(
    "records a payment that follows 125 payments that the bank doesn't know, but is never accepted as a whole",
    () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop()
        const unknown = Array.from({ length: 125 }, (_, n) => ({ endToEndId: `E${String(n).padStart(31, "0")}` }))
        const known = psp.payToKey(company.pixKey, 700)
        const statuses: Array<number> = []
        const isRecorded = async (status: number) => {
          statuses.push(status)
          return (await listPayments(pix)) === 1
        }
        expect(yield* Effect.promise(() => isSentUntil(pix, [...unknown, claim(known)], isRecorded))).toBe(true)
        expect(new Set(statuses)).toEqual(new Set([503]))
      }),
  )

  it.live("is looked up again once it shows that a return has ended", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop({ psp: { ways: { returnPace: "manual" } } })
      const { id, txid } = yield* Effect.promise(() => issue(pix))
      const payment = psp.pay(company.cnpj, txid)
      expect(yield* Effect.promise(() => notify(pix, [claim(payment)]))).toBe(200)
      expect(yield* Effect.promise(() => pix.refund(company.cnpj, id))).toMatchObject({ _tag: "Refunding" })
      const [returned] = psp.ledger.payments.get(payment.endToEndId)?.returns ?? []
      const returnId = returned?.id ?? ""
      // A notice with an unknown payment is never accepted as a whole.
      const unknown = { endToEndId: `E${"0".repeat(31)}` }
      const showing = (status: string) => [
        unknown,
        claim(payment),
        { ...claim(payment), devolucoes: [{ id: returnId, status }] },
      ]
      expect(yield* Effect.promise(() => notify(pix, showing("EM_PROCESSAMENTO")))).toBe(503)
      psp.endReturn(payment.endToEndId, returnId, "returned")
      expect(yield* Effect.promise(() => notify(pix, showing("DEVOLVIDO")))).toBe(503)
      expect(yield* Effect.promise(() => pix.find(company.cnpj, id))).toMatchObject({ _tag: "Refunded" })
    }),
  )

  it.live("causes no look-up of recorded payments that settled no charge", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop()
      const { txid } = yield* Effect.promise(() => issue(pix))
      const pixes = [psp.pay(company.cnpj, txid), psp.pay(company.cnpj, txid), psp.payToKey(company.pixKey, 700)].map(
        claim,
      )
      expect(yield* Effect.promise(() => notify(pix, pixes))).toBe(200)
      const before = psp.exchanges.length
      expect(yield* Effect.promise(() => notify(pix, pixes))).toBe(200)
      expect(psp.exchanges.length).toBe(before)
    }),
  )
})
