import { parsePaymentNotice, type PaymentNoticeInput } from "@pixcharge/core/charges"
import * as Result from "effect/Result"
import { expect, it } from "vitest"

const notice: PaymentNoticeInput = {
  issuer: "12.345.678/0001-95",
  txid: "a".repeat(35),
  endToEndId: "E".padEnd(32, "0"),
  amountCents: 1_990,
  paidAt: Date.UTC(2026, 5, 3, 15),
}

const refusedField = (over: Partial<PaymentNoticeInput>) =>
  Result.match(parsePaymentNotice({ ...notice, ...over }), {
    onSuccess: () => "none",
    onFailure: ({ field }) => field,
  })

it("parsePaymentNotice removes the CNPJ's punctuation", () => {
  expect(parsePaymentNotice(notice)).toEqual(Result.succeed({ ...notice, issuer: "12345678000195" }))
  const { txid: _, ...unnamed } = notice
  expect(Object.keys(Result.getOrThrow(parsePaymentNotice({ ...unnamed, txid: undefined })))).not.toContain("txid")
})

it.each<Partial<PaymentNoticeInput>>([
  { amountCents: 1 },
  { amountCents: 999_999_999_999 },
  { txid: "a" },
  { paidAt: 8.64e15 },
  { paidAt: -8.64e15 },
  { paidAt: 0 },
])("parsePaymentNotice accepts the extreme value %j", (over) => {
  expect(refusedField(over)).toBe("none")
})

it.each<Partial<PaymentNoticeInput>>([
  { issuer: "12345678000194" },
  { txid: "" },
  { txid: "a".repeat(36) },
  { txid: "a-b" },
  { endToEndId: "E".padEnd(31, "0") },
  { endToEndId: "E".padEnd(33, "0") },
  { endToEndId: "E".padEnd(32, "-") },
  { amountCents: 0 },
  { amountCents: -1 },
  { amountCents: 1.5 },
  { amountCents: 1_000_000_000_000 },
  { amountCents: Number.NaN },
  { paidAt: 8.64e15 + 1 },
  { paidAt: -8.64e15 - 1 },
  { paidAt: 0.5 },
  { paidAt: Number.NaN },
])("parsePaymentNotice refuses %j and names its field", (over) => {
  expect(refusedField(over)).toBe(Object.keys(over)[0])
})
