import { type ChargeId, factKinds, type PixEvent, type Txid } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { expect, it } from "vitest"
import { decodeEventBody, encodeEventBody } from "../src/wire/EventBody.ts"

const endToEndId = "E9999999920261120140012345678901"
const refund = { id: "R1", endToEndId, amountCents: 500 as Cents, reason: "conta encerrada" }
const facts = {
  id: "evt_1",
  kind: "refund-failed",
  issuer: "12345678000195" as Cnpj,
  companyName: "Minha Loja",
  occurredAt: Date.UTC(2026, 10, 20, 14),
} as const
const chargeId = "93768cbb-479d-4da3-8899-231fd09dc551" as ChargeId
const payment = { chargeId, txid: "8qaavrlv2t73" as Txid, endToEndId, amountCents: 1990 as Cents }

const events: ReadonlyArray<readonly [string, PixEvent, Readonly<Record<string, unknown>>]> = [
  ["a whole charge", { ...facts, refund, payment }, { id: "R1", endToEndId, valor: 5, motivo: "conta encerrada" }],
  ["a part", { ...facts, refund: { ...refund, key: "a" }, payment }, { chave: "a" }],
  ["a payment that settled no charge", { ...facts, refund }, { endToEndId }],
]

it.each(events)("writes the event's facts about the failed refund of %s into the body", (_, event, estorno) => {
  const text = encodeEventBody(event, factKinds)
  expect(JSON.parse(text)).toMatchObject({ tipo: "pix.estorno.falhou", dados: { estorno } })
  expect(decodeEventBody(text)).toEqual(event)
  for (const name of ["estorno", "motivo"]) {
    expect(decodeEventBody(text.replace(`"${name}"`, '"x"'))).toBeUndefined()
  }
})
