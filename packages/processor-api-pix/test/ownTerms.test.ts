import { migrate, postgresStore } from "@pixcharge/store-postgres"
import type { ChargeRequestInput } from "@pixcharge/core/charges"
import { it } from "@pixcharge/adapter-tests/suites"
import { startPostgres } from "@pixcharge/verify/world"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { integratorKey, openShop } from "./bank/openShop.ts"

const { cnpj } = company
const day = 86_400_000
const dayAhead = (days: number) => new Date(Date.now() - 3 * 3_600_000 + days * day).toISOString().slice(0, 10)

const payer = { name: "Ana Souza", taxId: "52998224725" }
const contact = {
  email: "ana@example.com",
  address: { street: "Rua das Flores, 12", city: "São Paulo", state: "SP", postalCode: "01310-100" },
}

const lastTier = { daysBefore: 2, amountCents: 3_000 }

const aTuition = (): ChargeRequestInput & { readonly id: string } => ({
  id: randomUUID(),
  amountCents: 100_000,
  dueDate: dayAhead(20),
  graceDays: 12,
  payer: { ...payer, ...contact },
  fees: {
    fine: { kind: "percent", basisPoints: 200 },
    discount: {
      kind: "fixedUntil",
      tiers: [{ date: dayAhead(5), amountCents: 8_000 }, lastTier],
    },
  },
})

const tagOf = (call: Promise<unknown>) =>
  call.then(
    () => "none",
    (error: { readonly _tag: string }) => error._tag,
  )

const openPostgres = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres(["-c", "fsync=off"])),
    (open) => Effect.promise(() => open.stop()),
  )
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString: `${server.url}/postgres` }).on("error", () => undefined)),
    (open) => Effect.promise(() => open.end()),
  )
  yield* Effect.promise(() => migrate(pool))
  return pool
})

describe("a charge with its own fees, on Postgres and at a bank over HTTP", () => {
  it.live(
    "is at the bank and in the books as requested, to its payment, its export and its erasure",
    () =>
      Effect.gen(function* () {
        const pool = yield* openPostgres
        const { pix, psp } = yield* openShop({
          companies: [company],
          store: postgresStore({ db: pool }),
          background: false,
        })
        const request = aTuition()
        yield* Effect.promise(async () => {
          const charge = await pix.issue(cnpj, request)
          const body = psp.ledger.charges.get(`${cnpj}/${charge.txid}`)?.terms.body
          expect(body).toMatchObject({
            calendario: { dataDeVencimento: request.dueDate, validadeAposVencimento: 12 },
            devedor: {
              cpf: payer.taxId,
              nome: payer.name,
              email: contact.email,
              logradouro: "Rua das Flores, 12",
              cidade: "São Paulo",
              uf: "SP",
              cep: "01310100",
            },
            valor: {
              original: "1000.00",
              multa: { modalidade: 2, valorPerc: "2.00" },
              desconto: {
                modalidade: 1,
                descontoDataFixa: [
                  { data: dayAhead(5), valorPerc: "80.00" },
                  { data: dayAhead(18), valorPerc: "30.00" },
                ],
              },
            },
          })
          expect(charge.fees).toMatchObject({ discount: { tiers: [{ daysBefore: 15 }, { daysBefore: 2 }] } })
          expect(await pix.find(cnpj, request.id)).toEqual(charge)
          expect(await pix.issue(cnpj, request)).toEqual(charge)
          expect(await tagOf(pix.issue(cnpj, { ...request, graceDays: 13 }))).toBe("ChargeConflict")

          const secret = Buffer.from(`${cnpj}|${integratorKey(company)}`).toString("base64")
          const tokenReply = await pix.fetch(new Request(`http://shop.invalid/api/token/${encodeURIComponent(secret)}`))
          const contract = await pix.fetch(
            new Request("http://shop.invalid/api/pix", {
              method: "POST",
              headers: {
                authorization: `Bearer ${((await tokenReply.json()) as { readonly data: string }).data}`,
                "content-type": "application/json",
              },
              body: JSON.stringify({
                formaPagamento: {
                  tpTransacao: 11,
                  modPagamento: 18,
                  idFaturaPag: request.id,
                  valorPagamento: 1000,
                  dataVencimento: request.dueDate,
                },
                cliente: { xNome: payer.name, documento: payer.taxId },
              }),
            }),
          )
          expect([
            contract.status,
            ((await contract.json()) as { readonly data?: { readonly retUrl: string } }).data?.retUrl,
          ]).toEqual([200, charge.brCode])

          // Paid today with the first tier's discount: the amount is due.
          psp.pay(cnpj, charge.txid, { amountCents: 92_000 })
          await pix.reconcile(cnpj, { from: Date.now() - day, until: Date.now() + 1 })
          const paid = await pix.find(cnpj, request.id)
          expect(paid).toMatchObject({ status: "paid", payment: { amountCents: 92_000, otherAmount: false } })
          const exported = await pix.payers.export(cnpj, payer.taxId)
          expect(exported.charges[0]?.payer).toEqual({
            ...payer,
            ...contact,
            address: { ...contact.address, postalCode: "01310100" },
          })
          await pix.payers.erase(cnpj, payer.taxId)
          expect(JSON.stringify(await pix.find(cnpj, request.id))).not.toMatch(/ana@|Flores|52998224725/)
          expect(await pix.find(cnpj, request.id)).toMatchObject({ requested: { graceDays: 12 } })
        })
      }),
    120_000,
  )

  it.live(
    "is taken over by books that lost it",
    () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop({ companies: [company], background: false })
        const { pix: restored } = yield* openShop({ companies: [company], at: psp, background: false })
        const request = aTuition()
        yield* Effect.promise(async () => {
          const charge = await pix.issue(cnpj, request)
          const { fees: _, ...withoutFees } = request
          expect(await tagOf(restored.issue(cnpj, withoutFees))).toBe("ChargeConflict")
          const discount = {
            kind: "fixedUntil",
            tiers: [{ date: dayAhead(12), amountCents: 8_000 }, lastTier],
          } as const
          const fees = { fine: { kind: "percent", basisPoints: 200 }, discount } as const
          expect(await tagOf(restored.issue(cnpj, { ...request, fees }))).toBe("ChargeConflict")
          const again = await restored.issue(cnpj, request)
          expect(again).toMatchObject({ brCode: charge.brCode, fees: charge.fees, requested: charge.requested })
        })
      }),
    120_000,
  )
})
