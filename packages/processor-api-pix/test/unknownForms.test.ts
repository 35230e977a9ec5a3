import type { Pix } from "@pixcharge/embed"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect, vi } from "vitest"
import { noticeBudget } from "../src/client/BankGate.ts"
import { company } from "./bank/openBank.ts"
import { openMounted } from "./bank/openMounted.ts"
import { doWhatIsDue, loggedBy } from "./bank/openShop.ts"

/** Undocumented forms of a notice that contain a charge's txid, each with the status of our answer. */
const forms: ReadonlyArray<readonly [title: string, write: (txid: string) => unknown, status: number]> = [
  ["an object", (txid) => ({ evento: "pix.recebido", dados: { txid, valor: 19.9 } }), 200],
  [
    "a string in an object",
    (txid) => ({ dados: `{"cobranca":"https://loja.example/?c=${txid.toUpperCase()}&v=1"}` }),
    200,
  ],
  ["a field's name", (txid) => ({ cobrancas: { [txid]: "PAGA" } }), 200],
  ["a list of objects", (txid) => [{ situacao: "RECEBIDO", txid }], 400],
  ["an element without an id", (txid) => ({ pix: [{ txid, valor: "19.90" }] }), 400],
  ["a string in place of the list", (txid) => ({ pix: txid }), 400],
]

const issue = (pix: Pix) => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 })

const readState = async (pix: Pix, { id }: { readonly id: string }): Promise<string> =>
  (await pix.find(company.cnpj, id))._tag

const lookups = ({ exchanges }: SimulatedBank, { txid }: { readonly txid: string }): number =>
  exchanges.filter(({ method, path }) => method === "GET" && path === `/cob/${txid}`).length

const openQuiet = (mount: "Express" | "Hono") =>
  Effect.gen(function* () {
    const shop = yield* openMounted(mount, { background: false })
    const charge = yield* Effect.promise(() => issue(shop.pix))
    yield* Effect.promise(() => doWhatIsDue(shop.pix))
    return { ...shop, charge }
  })

describe.each(["Express", "Hono"] as const)("a notice of unknown form in %s", (mount) => {
  for (const [where, write, status] of forms) {
    it.live(`schedules a check of a charge whose txid is in ${where}`, () =>
      Effect.gen(function* () {
        const { pix, psp, notify, charge } = yield* openQuiet(mount)
        psp.pay(company.cnpj, charge.txid)
        yield* Effect.promise(() => doWhatIsDue(pix))
        expect(yield* Effect.promise(() => readState(pix, charge))).toBe("Pending")
        expect(yield* Effect.promise(() => notify(write(charge.txid)))).toBe(status)
        yield* Effect.promise(() => doWhatIsDue(pix))
        expect(yield* Effect.promise(() => readState(pix, charge))).toBe("Paid")
      }),
    )
  }

  it.live("is logged once, and only with the names of its fields", () =>
    Effect.gen(function* () {
      const { notify } = yield* openQuiet(mount)
      const body = { evento: "x", pagador: { nome: "Ana Souza", cpf: "52998224725" }, "52998224725": [{ cep: 1 }] }
      const output = yield* Effect.promise(() =>
        loggedBy(async () => {
          for (let times = 0; times < 3; times++) expect(await notify(body)).toBe(200)
          for (const test of [{}, [], { pix: [] }, { evento: "teste_webhook", data_criacao: "2026-11-20" }]) {
            expect(await notify(test)).toBe(200)
          }
        }),
      )
      const line = `WARN (#0): A notice for ${company.cnpj} has an unknown form, with the fields`
      expect(output.split(line)).toHaveLength(2)
      expect(output).toContain(`${line} evento pagador ? nome cpf cep`)
      expect(output).not.toMatch(/Ana|52998224725|data_criacao/)
    }),
  )

  it.live("causes at most one check of a charge a minute, and a payment is still found", () =>
    Effect.gen(function* () {
      const { pix, psp, notify, charge } = yield* openQuiet(mount)
      const send = async () => {
        expect(await notify({ dados: [charge.txid] })).toBe(200)
        await doWhatIsDue(pix)
      }
      yield* Effect.promise(send)
      const first = lookups(psp, charge)
      expect(first).toBeGreaterThan(0)
      psp.pay(company.cnpj, charge.txid)
      for (let times = 0; times < 5; times++) yield* Effect.promise(send)
      expect(lookups(psp, charge)).toBe(first)
      vi.setSystemTime(Date.now() + 60_000)
      yield* Effect.promise(() => doWhatIsDue(pix))
      expect(lookups(psp, charge)).toBeGreaterThan(first)
      expect(yield* Effect.promise(() => readState(pix, charge))).toBe("Paid")
    }),
  )

  it.live("uses the budget of claims without a charge, and all its charges are checked in the end", () =>
    Effect.gen(function* () {
      const { pix, psp, notify } = yield* openQuiet(mount)
      const charges = yield* Effect.promise(async () => {
        const issued = []
        while (issued.length <= noticeBudget.max)
          issued.push(...(await Promise.all([0, 1, 2, 3].map(() => issue(pix)))))
        return issued
      })
      const [first, last] = [charges[0], charges.at(-1)]
      if (first === undefined || last === undefined) throw new Error("expected charges")
      yield* Effect.promise(() => doWhatIsDue(pix))
      psp.pay(company.cnpj, last.txid)
      const send = async () => {
        expect(await notify({ dados: charges.map(({ txid }) => txid) })).toBe(503)
        await doWhatIsDue(pix)
        return readState(pix, last)
      }
      expect(yield* Effect.promise(send)).toBe("Pending")
      const { endToEndId, txid } = psp.pay(company.cnpj, first.txid)
      expect(yield* Effect.promise(() => notify({ pix: [{ endToEndId, txid }] }))).toBe(200)
      vi.setSystemTime(Date.now() + noticeBudget.max * noticeBudget.refillMs)
      expect(yield* Effect.promise(send)).toBe("Paid")
    }),
  )
})
