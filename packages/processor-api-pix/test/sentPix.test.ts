import type { Pix } from "@pixcharge/embed"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { noticeBudget } from "../src/client/BankGate.ts"
import { company } from "./bank/openBank.ts"
import { openMounted } from "./bank/openMounted.ts"

const idOf = (n: number, letter = "E"): string => `${letter}09089356${String(n).padStart(23, "0")}`

/** Notices about a Pix that the company sent, as Efí and Inter document them. */
const sentForms: Readonly<Record<string, (n: number) => unknown>> = {
  "a Pix sent at Efí": (n) => ({
    pix: [
      {
        endToEndId: idOf(n),
        chave: company.pixKey,
        tipo: "SOLICITACAO",
        status: "REALIZADO",
        valor: "0.01",
        horario: "2021-03-04T20:39:47.000Z",
        gnExtras: { idEnvio: `${n}` },
      },
    ],
  }),
  "a Pix refused at Efí, with an id as long as in its documentation": (n) => ({
    pix: [
      {
        endToEndId: "E090893562021030PIf25a7868",
        tipo: "SOLICITACAO",
        status: "NAO_REALIZADO",
        valor: "0.01",
        horario: null,
        gnExtras: { idEnvio: `${n}`, erro: { codigo: "AC03" } },
      },
    ],
  }),
  "a Pix without an id at Efí": (n) => ({ pix: { tipo: "SOLICITACAO", gnExtras: { idEnvio: `${n}` } } }),
  "the returned money of a sent Pix": (n) => ({
    pix: [{ endToEndId: idOf(n), gnExtras: { idEnvio: `${n}` }, devolucoes: [{ rtrId: idOf(n, "D"), valor: "0.01" }] }],
  }),
  "a return under its own id": (n) => [{ endToEndId: idOf(n, "d"), valor: "0.01" }],
  "a Pix sent at Inter": (n) => [
    { codigoSolicitacao: randomUUID(), endToEndId: idOf(n), status: "PAGO", valor: 150.1 },
  ],
}

const receive = async (pix: Pix, psp: SimulatedBank) => {
  const { id, txid } = await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 })
  const { endToEndId } = psp.pay(company.cnpj, txid)
  return { id, claim: { endToEndId, txid } }
}

const readState = async (pix: Pix, { id }: { readonly id: string }): Promise<string> =>
  (await pix.find(company.cnpj, id))._tag

describe.each(["Express", "Hono"] as const)("the webhook in %s", (mount) => {
  describe.each(Object.entries(sentForms))("a notice of %s", (_, write) => {
    it.live("is accepted without a look-up, and received payments in the same notice are recorded", () =>
      Effect.gen(function* () {
        const { pix, psp, notify } = yield* openMounted(mount)
        const received = yield* Effect.promise(() => receive(pix, psp))
        const before = psp.exchanges.length
        expect(yield* Effect.promise(() => notify(write(1)))).toBe(200)
        expect(psp.exchanges.length).toBe(before)
        const both = [write(2), { pix: [received.claim] }, write(3)].flat()
        expect(yield* Effect.promise(() => notify(both))).toBe(200)
        expect(psp.exchanges.length).toBeLessThanOrEqual(before + 2)
        expect(yield* Effect.promise(() => readState(pix, received))).toBe("Paid")
      }),
    )
  })

  it.live("still looks up received payments after 300 notices of a sent Pix", () =>
    Effect.gen(function* () {
      const { pix, psp, notify } = yield* openMounted(mount)
      const write = sentForms["a Pix sent at Efí"] as (n: number) => unknown
      for (let n = 0; n < 300; n++) expect(yield* Effect.promise(() => notify(write(n)))).toBe(200)
      for (let n = 0; n < 10; n++) {
        const received = yield* Effect.promise(() => receive(pix, psp))
        expect(yield* Effect.promise(() => notify({ pix: [received.claim] }))).toBe(200)
        expect(yield* Effect.promise(() => readState(pix, received))).toBe("Paid")
      }
    }),
  )

  it.live(
    "looks up payments of our charges even if claims without a charge of ours have used up their own budget",
    () =>
      Effect.gen(function* () {
        const { pix, psp, notify } = yield* openMounted(mount)
        const strange = Array.from({ length: 3 * noticeBudget.max }, (_, n) => ({ endToEndId: idOf(n) }))
        const first = yield* Effect.promise(() => receive(pix, psp))
        expect(yield* Effect.promise(() => notify({ pix: [...strange, first.claim] }))).toBe(503)
        expect(yield* Effect.promise(() => readState(pix, first))).toBe("Paid")
        for (let n = 0; n < 10; n++) {
          const received = yield* Effect.promise(() => receive(pix, psp))
          expect(yield* Effect.promise(() => notify({ pix: [received.claim] }))).toBe(200)
          expect(yield* Effect.promise(() => readState(pix, received))).toBe("Paid")
        }
      }),
  )
})
