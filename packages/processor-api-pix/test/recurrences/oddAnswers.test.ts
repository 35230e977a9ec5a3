import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { encodeBrCode } from "@pixcharge/core/brcode"
import type { ApiPixConnection } from "@pixcharge/processor-api-pix"
import { it } from "./itSettles.ts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { type BankAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"
import { aCycleCharge, approved, aRecurrence, receivingAccount } from "./aRecurrence.ts"

const [first, second] = ["RR1234567820260101aaaaaaaaaaa", "RR1234567820260101bbbbbbbbbbb"]
const charge = aCycleCharge(approved(aRecurrence(), first))
const location = "bank.example/qr/v2/rec/abcdef0123456789"

const code = (recurrenceUrl: string, url?: string): string => {
  const merchant = { merchantName: "LOJA", merchantCity: "RECIFE", recurrenceUrl }
  return Result.getOrThrow(
    encodeBrCode(url === undefined ? { _tag: "Recurrence", ...merchant } : { _tag: "Dynamic", url, ...merchant }),
  )
}

const rec = (idRec: string, contrato: string, more: object = {}) => ({
  idRec,
  status: "CRIADA",
  vinculo: { contrato },
  loc: { id: 1, location },
  dadosQR: { jornada: "JORNADA_2", pixCopiaECola: code(location) },
  ...more,
})

const open = (
  answer: (call: string, query: URLSearchParams) => BankAnswer,
  connection: Partial<ApiPixConnection> = {},
) =>
  Effect.gen(function* () {
    const calls: Array<string> = []
    const { bank } = yield* openAnsweringBank(() => [500], undefined, {
      receivingAccount,
      ...connection,
      fetch: async (text: string, { method }: RequestInit) => {
        const { pathname, searchParams } = new URL(text)
        if (pathname === "/oauth/token") return Response.json({ access_token: "t0k3n", expires_in: 600 })
        const call = `${method} ${pathname.replace("/api/v2", "")}`
        calls.push(call)
        const [status, body] = answer(call, searchParams)
        return new Response(body === undefined ? "" : JSON.stringify(body), { status })
      },
    } as Partial<ApiPixConnection>)
    return { calls, recurrences: Context.get(yield* Layer.build(bank.processor), RecurrenceProcessor) }
  })

describe("the search for a recurrence", () => {
  const recurrence = aRecurrence()
  const { contract } = recurrence

  it.live("reads every page, skips other contracts, and prefers an authorised recurrence to an open offer", () =>
    Effect.gen(function* () {
      const pages = [
        [rec("RN1234567820260101ccccccccccc", "another")],
        [rec(first, contract), rec("RN1234567820260101ddddddddddd", contract, { status: "CANCELADA" })],
        [rec(second, contract, { status: "APROVADA" })],
      ]
      const numbers: Array<string | null> = []
      const { recurrences } = yield* open((_, query) => {
        numbers.push(query.get("paginacao.paginaAtual"))
        const paginacao = { quantidadeDePaginas: "3" }
        return [200, { parametros: { paginacao }, recs: pages[Number(query.get("paginacao.paginaAtual"))] }]
      })
      expect(yield* recurrences.lookup(recurrence)).toMatchObject({ bankId: second, status: "approved" })
      expect(numbers).toEqual(["0", "1", "2"])
    }),
  )

  it.live("chooses the same one of two open offers in every process", () =>
    Effect.gen(function* () {
      for (const recs of [
        [rec(first, contract), rec(second, contract)],
        [rec(second, contract), rec(first, contract)],
      ]) {
        const { recurrences } = yield* open(() => [200, { parametros: {}, recs }])
        expect(yield* recurrences.lookup(recurrence)).toMatchObject({ bankId: first })
      }
    }),
  )

  it.live("fails if an entry is unreadable, or the answer can't come from the API", () =>
    Effect.gen(function* () {
      for (const answer of [
        [200, { parametros: {}, recs: [rec("RN1234567820260101ccccccccccc", "another"), { status: "CRIADA" }] }],
        [200, {}],
        [404, {}],
        [400, { title: "RecConsultaInvalida" }],
      ] satisfies ReadonlyArray<BankAnswer>) {
        const { recurrences, calls } = yield* open(() => answer)
        expect((yield* Effect.flip(recurrences.lookup(recurrence)))._tag).toBe("ProcessorUnavailable")
        const offered = recurrences.offer({ company, recurrence })
        expect((yield* Effect.flip(offered))._tag).toBe("ProcessorUnavailable")
        expect(calls.filter((call) => call.startsWith("POST"))).toEqual([])
      }
    }),
  )
})

describe("the code of an offer", () => {
  for (const [what, shown] of [
    ["for another recurrence", { pixCopiaECola: code("bank.example/qr/v2/rec/another") }],
    ["that also asks for a payment", { pixCopiaECola: code(location, "bank.example/qr/v2/cob/1") }],
    ["that is invalid", { pixCopiaECola: "000201" }],
  ] as const) {
    it.live(`is rejected, and the offer is withdrawn, if the bank shows a code ${what}`, () =>
      Effect.gen(function* () {
        const recurrence = aRecurrence()
        const shownRec = rec(first, recurrence.contract, { dadosQR: shown })
        const { calls, recurrences } = yield* open((call) =>
          call === "POST /locrec" ? [201, { id: 7 }] : [call.startsWith("POST") ? 201 : 200, shownRec],
        )
        const refused = yield* Effect.flip(recurrences.offer({ company, recurrence, isFresh: true }))
        expect(refused._tag === "ProcessorRejected" && Redacted.value(refused.reason)).toMatch(/can't be handed out/)
        expect(calls.at(-1)).toBe(`PATCH /rec/${first}`)
      }),
    )
  }

  it.live("counts as unavailable while the bank shows no code", () =>
    Effect.gen(function* () {
      const recurrence = aRecurrence()
      const { recurrences } = yield* open((call) =>
        call === "POST /locrec"
          ? [201, { id: 7 }]
          : [call.startsWith("POST") ? 201 : 200, rec(first, recurrence.contract, { dadosQR: undefined })],
      )
      const failed = yield* Effect.flip(recurrences.offer({ company, recurrence, isFresh: true }))
      expect(failed._tag).toBe("ProcessorUnavailable")
    }),
  )
})

describe("a cycle's charge", () => {
  const lookUp = (shown: object, status = 200) =>
    Effect.flatMap(
      open(() => [status, { txid: charge.txid.toUpperCase(), valor: { original: "49.90" }, ...shown }]),
      ({ recurrences }) => recurrences.lookupCharge(charge),
    )

  it.live("can have statuses and codes of a later version of the API", () =>
    Effect.gen(function* () {
      const tentativas = [
        { dataLiquidacao: "2026-12-10", tipo: "XXXX", status: "PENDENTE", rejeicao: { codigo: "ZZ99" } },
      ]
      const { status, debit } = yield* lookUp({ status: "SUSPENSA", tentativas })
      expect([status, debit]).toEqual([
        "active",
        {
          status: "unknown",
          attempts: [expect.objectContaining({ on: "2026-12-10", status: "unknown", code: "ZZ99" })],
        },
      ])
    }),
  )

  it.live("has the order's due date if the bank shows no readable due date", () =>
    Effect.gen(function* () {
      for (const calendario of [undefined, {}, { dataDeVencimento: null }, { dataDeVencimento: "20/12/2026" }]) {
        const { debit, terms } = yield* lookUp({ status: "ATIVA", valor: { original: "12.34" }, calendario })
        expect([debit.status, terms]).toEqual(["active", { amountCents: 1_234, dueDate: charge.dueDate }])
      }
    }),
  )

  it.live("has an unreadable attempt with the status unknown, on the day of the first attempt", () =>
    Effect.gen(function* () {
      const tentativas = [{ dataLiquidacao: "2024-20-08", tipo: "AGND", status: "AGENDADA" }, null, "?"]
      const { debit } = yield* lookUp({ status: "ATIVA", tentativas })
      expect(debit.attempts.map(({ on, status }) => [on, status])).toEqual([
        [charge.cycle?.settlesOn, "scheduled"],
        [charge.cycle?.settlesOn, "unknown"],
        [charge.cycle?.settlesOn, "unknown"],
      ])
    }),
  )

  it.live("has its attempts in order of their days, and a resent attempt after its original", () =>
    Effect.gen(function* () {
      const attempt = (dataLiquidacao: string, tipo: string) => ({ dataLiquidacao, tipo, status: "EXPIRADA" })
      const tentativas = [attempt("2026-12-12", "NTAG"), attempt("2026-12-10", "RIFL"), attempt("2026-12-10", "AGND")]
      const { debit } = yield* lookUp({ status: "ATIVA", tentativas })
      expect(debit.attempts.map(({ kind }) => kind)).toEqual(["first", "resent", "retry"])
    }),
  )

  it.live("can have its status only in its history, numbers for strings, and a status in the masculine form", () =>
    Effect.gen(function* () {
      const { debit } = yield* lookUp({
        valor: { original: 49.9 },
        recebedor: { conta: 1234567, tipoConta: "POUPANÇA" },
        atualizacao: [
          { nome: "Cancelado", data: "2026-12-03T10:00:00Z" },
          { nome: "CRIADA", data: "2026-12-01T10:00:00Z" },
        ],
        encerramento: { cancelamento: { solicitante: "PSP_PAGADOR", codigo: "ACCT" } },
      })
      expect(debit).toEqual({ status: "cancelled", attempts: [], by: "payerBank", code: "ACCT" })
    }),
  )

  it.live("counts as absent only if the bank itself, not a proxy, says so", () =>
    Effect.gen(function* () {
      for (const answer of [[404], [404, {}], [204], [200, {}]] satisfies ReadonlyArray<BankAnswer>) {
        const { recurrences } = yield* open(() => answer)
        expect((yield* Effect.flip(recurrences.lookupCharge(charge)))._tag).toBe("ProcessorUnavailable")
      }
      for (const answer of [
        [404, { title: "CobRNaoEncontrado" }],
        [400, { nome: "cobranca_recorrente_nao_encontrada", mensagem: "Nada" }],
      ] satisfies ReadonlyArray<BankAnswer>) {
        const { recurrences } = yield* open(() => answer)
        expect((yield* recurrences.lookupCharge(charge)).debit.status).toBe("absent")
      }
    }),
  )
})
