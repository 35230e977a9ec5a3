import { type ChargeId, factKinds, type PixEvent, type Txid } from "@pixcharge/core/charges"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { RecurrenceId } from "@pixcharge/core/recurrence"
import { expect, it } from "vitest"
import { decodeEventBody, encodeEventBody } from "../src/wire/EventBody.ts"

const facts = {
  id: "evt_1",
  issuer: "12345678000195" as Cnpj,
  companyName: "Academia Aurora",
  occurredAt: Date.UTC(2027, 2, 22, 12),
  recurrence: { recurrenceId: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c" as RecurrenceId, contract: "contrato-1" },
}
const charge = { chargeId: "30426f6a-367c-8b59-8076-d694fcf72383" as ChargeId, txid: "30426f6a" as Txid }
const on = "2027-03-22" as LocalDate

/** An event of each kind, with the required fields of its `dados`. */
const kinds: ReadonlyArray<readonly [PixEvent, needed: ReadonlyArray<string>]> = [
  [{ ...facts, kind: "recurrence-approved" }, []],
  [{ ...facts, kind: "recurrence-approved", firstDueDate: on }, []],
  [{ ...facts, kind: "recurrence-ended", end: { reason: "ended", by: "payer", code: "SLCR" } }, ["encerramento"]],
  [
    { ...facts, kind: "cycle-due", cycle: 2, dueDate: on, chargeableUntil: Date.UTC(2027, 2, 20) },
    ["ciclo", "vencimento", "cobrarAte"],
  ],
  [
    { ...facts, kind: "payment-scheduled", cycle: 1, charge: { ...charge, amountCents: 4_990 as Cents }, on },
    ["ciclo", "cobranca", "em"],
  ],
  [
    {
      ...facts,
      kind: "payment-failed",
      cycle: 1,
      charge: { ...charge, amountCents: 4_990 as Cents },
      reason: "unpaid",
      on,
      code: "AM04",
      by: "payerBank",
      mayRetryUntil: Date.UTC(2027, 2, 26),
    },
    ["ciclo", "em", "motivo"],
  ],
  [{ ...facts, kind: "payment-failed", cycle: 1, reason: "missed", on }, ["ciclo", "em", "motivo"]],
]

it.each(kinds)("writes the event's facts about a recurrence into the body: %o", (event, needed) => {
  const text = encodeEventBody(event, factKinds)
  expect(decodeEventBody(text)).toEqual(event)
  for (const name of ["recorrencia", "contrato", ...needed]) {
    expect([name, decodeEventBody(text.replace(`"${name}"`, '"x"'))]).toEqual([name, undefined])
  }
})

it("writes the amount of a cycle's charge in reais", () => {
  const [event] = kinds[4] ?? []
  expect(event && JSON.parse(encodeEventBody(event, factKinds))).toMatchObject({
    tipo: "pix.pagamento.agendado",
    dados: {
      recorrencia: { id: facts.recurrence.recurrenceId, contrato: "contrato-1" },
      ciclo: 1,
      cobranca: { idFaturaPag: charge.chargeId, txid: "30426f6a", valor: 49.9 },
      em: "2027-03-22",
    },
  })
})

it("reads an empty optional string as absent", () => {
  const approved = { ...facts, kind: "recurrence-approved" } as const
  const failed = { ...facts, kind: "payment-failed", cycle: 1, reason: "missed", on } as const
  const empty = { code: "", by: "" }
  const events = [
    [approved, { ...approved, firstDueDate: "" }],
    [failed, { ...failed, ...empty }],
    [
      { ...facts, kind: "recurrence-ended", end: { reason: "ended" } },
      { ...facts, kind: "recurrence-ended", end: { reason: "ended", ...empty } },
    ],
  ]
  for (const [said, sent] of events) expect(decodeEventBody(encodeEventBody(sent as PixEvent, factKinds))).toEqual(said)
})
