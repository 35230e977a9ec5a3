import { chargeTxid } from "@pixcharge/core/plain"
import { standardProfile } from "@pixcharge/processor-api-pix"
import type { BankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { openShop, type ShopOptions } from "./bank/openShop.ts"

const { cnpj } = company

type Shop = Effect.Success<ReturnType<typeof openShop>>
type Reshape = NonNullable<BankWays["reshape"]>

const compare = ({ pix }: Shop) => pix.reconcile(cnpj, { from: Date.now() - 3_600_000, until: Date.now() + 60_000 })
const issue = ({ pix }: Shop, id: string) => pix.issue(cnpj, { id, amountCents: 1990 })
const open = (options: ShopOptions) => openShop({ companies: [company], background: false, ...options })

/**
 * Opens a bank with a charge that was paid twice. In the first books, the later payment settled the charge, because the
 * bank listed the earlier payment only afterwards. The second books are empty, like after a restore.
 */
const openPaidTwice = Effect.fnUntraced(function* ({
  ways,
  ...options
}: Pick<ShopOptions, "connection"> & { readonly ways?: Partial<BankWays> } = {}) {
  const first = yield* open({ ...options, psp: { ways: { returnPace: "atOnce", ...ways } } })
  const { psp } = first
  const id = randomUUID()
  const pay = async (agoMs: number) => {
    const payment = psp.pay(cnpj, chargeTxid(cnpj, id), { paidAt: Date.now() - agoMs })
    await compare(first)
    return payment
  }
  const { later, earlier } = yield* Effect.promise(async () => {
    await issue(first, id)
    return { later: await pay(5_000), earlier: await pay(9_000) }
  })
  const second = yield* open({ at: psp, ...options })
  const returns = () => [earlier.returns.length, later.returns.length]
  return { first, second, psp, id, later, earlier, returns }
})

const change = (answer: Parameters<Reshape>[0], changed: (key: string, value: unknown) => unknown) => ({
  ...answer,
  body: JSON.parse(JSON.stringify(answer.body), changed),
})

const withoutReturns: Reshape = (answer, { path }) =>
  path.includes("/devolucao/") ? answer : change(answer, (key, value) => (key === "devolucoes" ? undefined : value))

const firstPayment: Reshape = (answer, { path }) =>
  path.startsWith("/cob/")
    ? change(answer, (key, value) =>
        key === "pix"
          ? (value as ReadonlyArray<{ horario: string }>)
              .toSorted((a, b) => (a.horario < b.horario ? -1 : 1))
              .slice(0, 1)
          : value,
      )
    : answer

const tagOf = (error: unknown) => (error as { readonly _tag: string })._tag

describe("the refund of a charge paid twice, after a restore", () => {
  for (const pageSize of [100, 1]) {
    it.live(`is found if the bank shows payments only in lists with ${pageSize} payments a page`, () =>
      Effect.gen(function* () {
        const connection = { profile: { ...standardProfile, pageSize } }
        const { first, second, id, returns } = yield* openPaidTwice({ connection, ways: { paymentsInCharges: false } })
        yield* Effect.promise(async () => {
          expect((await first.pix.refund(cnpj, id)).status).toBe("refunded")
          expect(returns()).toEqual([0, 1])
          await issue(second, id)
          expect(await second.pix.cancel(cnpj, id).catch(tagOf)).toBe("ChargeAlreadyPaid")
          expect((await second.pix.refund(cnpj, id)).status).toBe("refunded")
          expect(returns()).toEqual([0, 1])
        })
      }),
    )
  }

  for (const isShown of [false, true]) {
    it.live(
      `isn't requested for the earlier payment if the later one was resolved (the bank shows its return: ${isShown})`,
      () =>
        Effect.gen(function* () {
          const { first, second, psp, id, later, returns } = yield* openPaidTwice()
          yield* Effect.promise(async () => {
            await first.pix.refund(cnpj, id)
            psp.ways.reshape = withoutReturns
            await issue(second, id)
            await compare(second)
            await second.pix.exceptions.resolve(cnpj, later.endToEndId, "conhecido")
            if (isShown) delete psp.ways.reshape
            for (let time = 1; time <= 2; time++) {
              expect(await second.pix.refund(cnpj, id).catch(tagOf)).toBe("RefundRejected")
            }
            expect(returns()).toEqual([0, 1])
          })
        }),
    )
  }

  it.live("is looked up for the payments in the books if the bank shows only one of them, and no returns", () =>
    Effect.gen(function* () {
      const { first, second, psp, id, returns } = yield* openPaidTwice()
      yield* Effect.promise(async () => {
        await first.pix.refund(cnpj, id)
        psp.ways.reshape = (answer, call) => firstPayment(withoutReturns(answer, call), call)
        await issue(second, id)
        await compare(second)
        expect((await second.pix.refund(cnpj, id)).status).toBe("refunded")
        expect(returns()).toEqual([0, 1])
      })
    }),
  )
})
