import { centsFromReais } from "@pixcharge/core/money"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import { routes } from "../../http/src/wire/routes.ts"
import type * as contractCharge from "../../http/src/wire/schemas/ChargeBody.ts"
import type * as contractCredentials from "../../http/src/wire/schemas/TokenBody.ts"
import type * as contractToken from "../../http/src/wire/schemas/TokenBody.ts"
import type * as contractError from "../../http/src/wire/schemas/ErrorBody.ts"
import type * as contractStatus from "../../http/src/wire/schemas/StatusBody.ts"
import {
  chargeFailures,
  dueDateOutOfRange,
  exchangeFailures,
  type Failure,
  invalidField,
  notEligible,
  operationFailures,
} from "../../http/src/wire/messages.ts"
import * as wire from "../src/bodies.ts"

/** All codes of failures. The compiler requires exactly the codes of the type. */
const codes: Readonly<Record<wire.ErrorCode, true>> = {
  "json-invalido": true,
  "dados-invalidos": true,
  "vencimento-fora-do-prazo": true,
  "valor-menor-que-reducoes": true,
  "id-invalido": true,
  "credenciais-invalidas": true,
  "token-invalido": true,
  "empresa-nao-habilitada": true,
  "empresa-nao-cadastrada": true,
  "cobranca-nao-encontrada": true,
  "rota-inexistente": true,
  "metodo-nao-permitido": true,
  "cobranca-divergente": true,
  "cobranca-expirada": true,
  "cobranca-cancelada": true,
  "estorno-em-andamento": true,
  "cobranca-estornada": true,
  "cobranca-nao-paga": true,
  "cobranca-devolvida-em-parte": true,
  "prazo-de-estorno-encerrado": true,
  "estorno-nao-realizado": true,
  "cobranca-pendente": true,
  "corpo-grande-demais": true,
  "tipo-de-conteudo-invalido": true,
  "simulacao-recusada": true,
  "limite-excedido": true,
  "erro-interno": true,
  "processador-recusou": true,
  "processador-indisponivel": true,
  "servico-indisponivel": true,
}

// `tsc` checks these: a field with another name, type or optionality fails the build.
expectTypeOf<wire.ChargeBody>().toEqualTypeOf<typeof contractCharge.ChargeBody.Encoded>()
expectTypeOf<wire.ChargeReplyBody>().toEqualTypeOf<typeof contractCharge.ChargeReplyBody.Encoded>()
expectTypeOf<wire.CredentialsBody>().toEqualTypeOf<typeof contractCredentials.CredentialsBody.Encoded>()
expectTypeOf<wire.ErrorBody>().toEqualTypeOf<typeof contractError.ErrorBody.Encoded>()
expectTypeOf<wire.StatusBody>().toEqualTypeOf<typeof contractStatus.StatusBody.Encoded>()
expectTypeOf<wire.SimulationBody>().toEqualTypeOf<typeof contractStatus.SimulationBody.Encoded>()
expectTypeOf<wire.RefundBody>().toEqualTypeOf<typeof contractStatus.RefundBody.Encoded>()
expectTypeOf<wire.TokenBody>().toEqualTypeOf<typeof contractToken.TokenBody.Encoded>()

describe("the client's wire format", () => {
  it("has the paths of the contract", () => {
    expect([wire.paths.token, wire.paths.charges]).toEqual([routes.tokenByPost.path, routes.issue.path])
    expect(wire.paths.charge("x")).toBe(routes.status.path.replace(/:\w+/, "x"))
    expect(wire.paths.simulation("x")).toBe(routes.simulate.path.replace(/:\w+/, "x"))
  })

  it("has the code of every failure in the contract", () => {
    const failures: ReadonlyArray<Failure> = [
      ...Object.values(exchangeFailures),
      ...Object.values(chargeFailures),
      ...Object.values(operationFailures),
      invalidField(""),
      notEligible([]),
      dueDateOutOfRange("2026-11-20", "2031-11-20"),
    ]
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(Object.keys(codes)))
  })

  it("keeps every amount to the cent when it is written and read back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (amountCents) => {
        const sent = JSON.stringify(wire.chargeBody({ id: "x", amountCents }).formaPagamento.valorPagamento)
        expect(sent).toMatch(/^\d+(\.\d{1,2})?$/)
        expect(Result.getOrThrow(centsFromReais(JSON.parse(sent)))).toBe(amountCents)
        const response = { vLanc: JSON.parse(sent) } as wire.StatusBody["data"]["response"]
        expect(wire.readPayment({ sucesso: true, data: { retTexto: "", response } }).amountCents).toBe(amountCents)
      }),
    )
  })
})
