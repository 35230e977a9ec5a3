import type { LocalDate } from "@pixcharge/core/calendar"
import type { AmountDue } from "@pixcharge/core/charges"
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../src/snapshot/Snapshot.ts"
import { readState, type StateBody, stateFacts } from "../src/wire/StateBody.ts"

const snapshot: Snapshot = {
  status: "pending",
  isFinal: false,
  payeeName: "Padaria Aurora",
  payeeTaxId: "12345678000195",
  amount: {
    originalCents: 1,
    abatementCents: 2,
    discountCents: 3,
    interestCents: 4,
    fineCents: 5,
    totalCents: 6,
  } as AmountDue,
  payableUntil: 1_000,
  returnedCents: 0,
  canRenew: false,
}

const facts = {
  status: "pendente",
  final: false,
  recebedor: { nome: "Padaria Aurora", documento: "12345678000195" },
  valores: { original: 1, abatimento: 2, desconto: 3, juros: 4, multa: 5, total: 6 },
  pagavelAte: 1_000,
  podeRenovar: false,
}

describe("the body of a state", () => {
  it("has the code and the due dates of an open charge", () => {
    expect(stateFacts(snapshot)).toStrictEqual(facts)
    const days = { dueDate: "2027-03-06" as LocalDate, movedDueDate: "2027-03-08" as LocalDate }
    expect(stateFacts({ ...snapshot, ...days, brCode: "000201" })).toStrictEqual({
      ...facts,
      vencimento: "2027-03-06",
      vencimentoUtil: "2027-03-08",
      brCode: "000201",
    })
  })

  it("has the description and the further lines if the charge has them", () => {
    const texts = { description: "Pedido 1042", additionalInfo: [{ name: "Nota", value: "7" }] }
    const body = { ...facts, descricao: "Pedido 1042", informacoes: [{ nome: "Nota", valor: "7" }] }
    expect(stateFacts({ ...snapshot, ...texts })).toStrictEqual(body)
    expect(readState({ ...body, id: "7", agora: 5 } as StateBody)).toMatchObject(texts)
  })

  it("has the payment and its returns, without the endToEndId, which names the payer's bank", () => {
    const payment = { amountCents: 7, paidAt: 900, endToEndId: "E1234567820260603150012345678abc", isLate: true }
    const paid = { ...snapshot, status: "paid", isFinal: true, payment } as const
    const body = { ...facts, status: "pago", final: true, pagamento: { valor: 7, em: 900, atrasado: true } }
    expect(stateFacts(paid)).toStrictEqual(body)
    expect(stateFacts({ ...paid, returnedCents: 1 })).toStrictEqual({ ...body, devolvido: 1 })
    const refunded = { ...paid, status: "refunded", returnedCents: 7, refundedAt: 950 } as const
    expect(stateFacts(refunded)).toStrictEqual({ ...body, status: "devolvido", devolvido: 7, devolvidoEm: 950 })
  })

  it.each([
    ["expired", "expirado"],
    ["refunding", "devolvendo"],
    ["cancelled", "cancelado"],
  ] as const)(
    "has the status %s as %s, the time of the cancellation and whether the charge can be renewed",
    (status, name) => {
      expect(stateFacts({ ...snapshot, status, cancelledAt: 0, canRenew: true })).toStrictEqual({
        ...facts,
        status: name,
        canceladoEm: 0,
        podeRenovar: true,
      })
    },
  )
})

it("reads every field of the body into the page's state", () => {
  const payee = { name: "Padaria Aurora", taxId: "12345678000195" }
  const amounts = {
    originalCents: 1,
    abatementCents: 2,
    discountCents: 3,
    interestCents: 4,
    fineCents: 5,
    totalCents: 6,
  }
  const read = {
    id: "7",
    now: 5,
    status: "pending",
    isFinal: false,
    payee,
    additionalInfo: [],
    amounts,
    payableUntil: 1_000,
  } as const
  expect(readState({ ...facts, id: "7", agora: 5 } as StateBody)).toEqual({
    ...read,
    returnedCents: 0,
    canRenew: false,
  })
  const body = {
    ...facts,
    id: "7",
    agora: 5,
    final: true,
    vencimento: "2027-03-06",
    vencimentoUtil: "2027-03-08",
    brCode: "000201",
    pagamento: { valor: 7, em: 900, atrasado: true },
    devolvido: 8,
    devolvidoEm: 950,
    podeRenovar: true,
  } as StateBody
  expect(readState(body)).toEqual({
    ...read,
    isFinal: true,
    dueDate: "2027-03-06",
    movedDueDate: "2027-03-08",
    brCode: "000201",
    payment: { amountCents: 7, paidAt: 900, isLate: true },
    returnedCents: 8,
    refundedAt: 950,
    canRenew: true,
  })
})

it.each([
  ["pendente", "pending"],
  ["pago", "paid"],
  ["expirado", "expired"],
  ["devolvendo", "refunding"],
  ["devolvido", "refunded"],
  ["cancelado", "cancelled"],
] as const)("reads the status %s as %s", (status, name) => {
  expect(readState({ ...facts, id: "7", agora: 5, status }).status).toBe(name)
})
