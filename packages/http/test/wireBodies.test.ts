import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { decodeChargeBody } from "../src/wire/ChargeBody.ts"
import { notEligible } from "../src/wire/messages.ts"

it("a body that breaks several rules is refused for the amount before the id", () => {
  const formaPagamento = { tpTransacao: 11, modPagamento: 18, idFaturaPag: "x", valorPagamento: 0.001 }
  expect(decodeChargeBody({ formaPagamento })).toEqual(Result.fail("formaPagamento.valorPagamento"))
})

it("a refusal names all that a company lacks, one after the other", () => {
  expect(notEligible(["companyWallet", "ownBankDomicile"])).toMatchObject({
    status: 403,
    text: "Não é possível emitir cobranças: a empresa não tem a carteira PIX ativa; a empresa não tem domicílio bancário próprio.",
  })
})
