import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { account, certificates, company, otherCompany } from "./openBank.ts"
import { openShop, type ShopOptions } from "./openShop.ts"

export const random = "a2c4e6f8-1234-4abc-8def-0123456789ab"

export type Payment = ReturnType<SimulatedBank["pay"]>

/** A payment time that a list surely contains: a bank's list ends with its last whole second. */
export const aWhileAgo = () => ({ paidAt: Date.now() - 5_000 })
export const anHour = () => ({ from: Date.now() - 3_600_000, until: Date.now() + 60_000 })

/** Two companies that share one account and client, each with its own key. */
export const shareAccount = async ({ ours, theirs }: { readonly ours: string; readonly theirs: string }) => {
  const { clients } = await certificates()
  const { clientId, clientSecret } = account
  return {
    companies: [
      { ...company, pixKey: ours },
      { ...otherCompany, pixKey: theirs },
    ],
    psp: { accounts: [{ ...account, pixKeys: [ours, theirs] }] },
    connection: { clientId, clientSecret, ...clients[company.cnpj] },
  } satisfies ShopOptions
}

export const openShared = (keys = { ours: random, theirs: "outra@example.com" }, options: Partial<ShopOptions> = {}) =>
  Effect.gen(function* () {
    const shared = yield* Effect.promise(() => shareAccount(keys))
    const connection = { ...shared.connection, ...options.connection } as never
    const shop = yield* openShop({ ...shared, ...options, connection })
    const [ours = company, theirs = otherCompany] = shared.companies
    return { ...shop, ours, theirs }
  })

export const show = (payment: Payment, pixKey: string | undefined): void => void Object.assign(payment, { pixKey })

export const aRequest = (due: boolean) => ({
  id: randomUUID(),
  amountCents: 1_990,
  ...(due && { dueDate: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10), payer }),
})

const payer = { name: "Maria da Silva", taxId: "52998224725" }
