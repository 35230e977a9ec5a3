import { customerReceipt, merchantReceipt } from "@pixcharge/core/charges"
import { aCompany, aPaidCharge, aPayment, aPendingCharge, cpf } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"

const pending = aPendingCharge({
  transactionId: "7e57ab1e-0000-4000-8000-00000000cafe",
  payer: { name: "Maria da Silva", taxId: cpf("12345678909") },
})
const paidAt = Date.UTC(2026, 5, 4, 2, 30, 5, 999)
const paid = aPaidCharge(pending, aPayment(pending, { endToEndId: "E12345678202606031500abcdefgWXYZ", paidAt }))

it("a receipt shows the receiver, the time in Brasília, the amount and masked ids", () => {
  expect(customerReceipt(paid, aCompany()).split("\n")).toEqual([
    "COMPROVANTE DE PAGAMENTO PIX",
    "VIA DO CLIENTE",
    "Padaria Aurora Ltda",
    "CNPJ **.345.678/****-**",
    "DATA 03/06/2026 HORA 23:30:05",
    expect.stringMatching(/^VALOR R\$\s19,90$/),
    "PAGADOR ***.456.789-**",
    "PIX E123****WXYZ",
    "TRANSACAO 7e57****cafe",
  ])
})

it("the merchant's copy differs from the customer's only in its title; the payer is optional", () => {
  const customer = customerReceipt(paid, aCompany())
  expect(merchantReceipt(paid, aCompany())).toBe(customer.replace("VIA DO CLIENTE", "VIA DO ESTABELECIMENTO"))
  const { payer: _, ...unnamed } = paid
  expect(customerReceipt(unnamed, aCompany())).toBe(customer.replace(/^PAGADOR .*\n/m, ""))
})
