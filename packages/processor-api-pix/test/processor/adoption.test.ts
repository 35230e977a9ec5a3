import { PaymentProcessor } from "@pixcharge/core"
import { parseLocalDate } from "@pixcharge/core/calendar"
import { parseFees } from "@pixcharge/core/money"
import type { Company } from "@pixcharge/core/party"
import { apiPix } from "@pixcharge/processor-api-pix"
import { aCompany, anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { company } from "../bank/openBank.ts"

/** Opens a bank that refuses a second charge with the same txid, and shows the first charge. */
const atBankWith = (shown: object) =>
  Effect.gen(function* () {
    const fetch = async (url: string, { method }: RequestInit) => {
      if (url.endsWith("/oauth/token")) return Response.json({ access_token: "t0k3n", expires_in: 600 })
      const refusal = {
        type: "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida",
        title: "txid em uso",
        status: 400,
      }
      return method === "GET" ? Response.json(shown) : Response.json(refusal, { status: 400 })
    }
    const connection = { baseUrl: "https://bank.example", clientId: "id", clientSecret: "s+cret", fetch }
    const { processor } = apiPix({ companies: { [company.cnpj]: connection } })
    return Context.get(yield* Layer.build(processor), PaymentProcessor)
  })

const withFees: Company = aCompany({
  pixKey: company.pixKey,
  graceDays: 5,
  fees: Result.getOrThrow(
    parseFees({
      fine: { kind: "percent", basisPoints: 200 },
      interest: { kind: "percentPerMonth", basisPoints: 100, days: "calendar" },
      abatement: { kind: "fixed", amountCents: 50 },
      discount: { kind: "fixedUntil", tiers: [{ daysBefore: 1, amountCents: 100 }] },
    }),
  ),
})

const discountUntil = (data: string) => ({ modalidade: 1, descontoDataFixa: [{ data, valorPerc: "1.00" }] })

/** A Sunday. The discount ends on the Saturday before it, which moves to Monday. */
const dueDate = Result.getOrThrow(parseLocalDate("2030-12-08"))

const valor = {
  original: "19.90",
  multa: { modalidade: 2, valorPerc: "2.00" },
  juros: { modalidade: 3, valorPerc: "1.00" },
  abatimento: { modalidade: 1, valorPerc: "0.50" },
  desconto: discountUntil("2030-12-07"),
}

const adopt = (by: Company, due: boolean, shown: { readonly valor: object; readonly calendario?: object }) =>
  Effect.gen(function* () {
    const order = yield* anOrder(by, due ? { dueInDays: 3, dueDate } : {})
    const calendario = due
      ? { criacao: "2026-11-20T10:00:00Z", dataDeVencimento: order.dueDate, ...shown.calendario }
      : { criacao: "2026-11-20T10:00:00Z", expiracao: 600 }
    const { register } = yield* atBankWith({
      txid: order.txid,
      status: "ATIVA",
      chave: by.pixKey,
      location: "bank.example/qr/v2/abcdef0123456789",
      valor: shown.valor,
      calendario,
    })
    return (yield* Effect.result(register(order)))._tag
  })

describe("a due-date charge found at the bank", () => {
  const same: Readonly<Record<string, Parameters<typeof adopt>[2]>> = {
    "shows the requested terms": { valor, calendario: { validadeAposVencimento: 5 } },
    "shows only the amount": { valor: { original: "19.90" } },
    "writes numbers in another form": {
      valor: {
        ...valor,
        multa: { modalidade: "2", valorPerc: 2 },
        juros: { modalidade: "3", valorPerc: "1,0" },
      },
      calendario: { validadeAposVencimento: "5" },
    },
    "has moved the day of a discount to a business day": { valor: { ...valor, desconto: discountUntil("2030-12-09") } },
    "shows a discount without its day": {
      valor: { ...valor, desconto: { modalidade: 1, descontoDataFixa: [{ valorPerc: "1.00" }] } },
    },
    "shows an unreadable day of a discount": { valor: { ...valor, desconto: discountUntil("07/12/2030") } },
    "shows computed fees in place of their terms": {
      valor: { ...valor, multa: "0.40", juros: "0.10", desconto: null },
    },
    "says that the payer can't change the amount": { valor: { ...valor, modalidadeAlteracao: 0, retirada: {} } },
  }
  for (const [what, shown] of Object.entries(same)) {
    it.live(`is adopted if it ${what}`, () =>
      Effect.map(adopt(withFees, true, shown), (tag) => expect(tag).toBe("Success")),
    )
  }

  const others: Readonly<Record<string, Parameters<typeof adopt>[2]>> = {
    "another fine": { valor: { ...valor, multa: { modalidade: 2, valorPerc: "20.00" } } },
    "a fine of another kind": { valor: { ...valor, multa: { modalidade: 1, valorPerc: "2.00" } } },
    "other interest": { valor: { ...valor, juros: { modalidade: 2, valorPerc: "1.00" } } },
    "another abatement": { valor: { ...valor, abatimento: { modalidade: 1, valorPerc: "15.00" } } },
    "another discount": {
      valor: { ...valor, desconto: { modalidade: 1, descontoDataFixa: [{ data: "2030-12-07", valorPerc: "10.00" }] } },
    },
    "a discount until a later day": { valor: { ...valor, desconto: discountUntil("2030-12-10") } },
    "a discount until an earlier day": { valor: { ...valor, desconto: discountUntil("2030-12-06") } },
    "another number of days after its due date": { valor, calendario: { validadeAposVencimento: 6 } },
    "an amount that the payer can change": { valor: { ...valor, modalidadeAlteracao: 1 } },
  }
  for (const [what, shown] of Object.entries(others)) {
    it.live(`belongs to another order if it shows ${what}`, () =>
      Effect.map(adopt(withFees, true, shown), (tag) => expect(tag).toBe("Failure")),
    )
  }

  it.live("is adopted with a fee that wasn't requested only if the fee is zero", () =>
    Effect.gen(function* () {
      for (const [valorPerc, tag] of [
        ["0.00", "Success"],
        ["2.00", "Failure"],
      ] as const) {
        const shown = { valor: { original: "19.90", multa: { modalidade: 2, valorPerc } } }
        expect(yield* adopt(company, true, shown)).toBe(tag)
      }
    }),
  )
})

describe("an immediate charge found at the bank", () => {
  for (const [what, more, tag] of [
    ["is adopted if the payer can't change the amount", { modalidadeAlteracao: 0 }, "Success"],
    ["belongs to another order if the payer can change its amount", { modalidadeAlteracao: 1 }, "Failure"],
    ["belongs to another order if it gives the payer cash", { retirada: { troco: { valor: "5.00" } } }, "Failure"],
  ] as const) {
    it.live(what, () =>
      Effect.map(adopt(company, false, { valor: { original: "19.90", ...more } }), (found) => expect(found).toBe(tag)),
    )
  }
})
