import { ChargeLists, type ChargeSearch, type Period } from "@pixcharge/core"
import {
  type Charge,
  chargeStatus,
  isSamePaymentId,
  isSoughtName,
  type Payment,
  readSoughtText,
  type Return,
  type SoughtText,
} from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { type CompanyState, type MemoryState, type PaymentRow, valueAt } from "./MemoryState.ts"
import { isWithin, readPage } from "./readPage.ts"

const isAmong = (id: string, ids: SoughtText["ids"]): boolean => ids !== undefined && ids.first <= id && id <= ids.last

const matches = (
  sought: SoughtText,
  { id, transactionId, amountCents, payer, reference }: Charge,
  payments: ReadonlyArray<Payment>,
  { from, until }: Period,
): boolean => {
  const { ids, endToEndId, payerTaxId } = sought
  return (
    isAmong(id, ids) ||
    isAmong(transactionId, ids) ||
    amountCents === sought.amountCents ||
    (reference !== undefined && reference === sought.reference) ||
    payments.some(
      (payment) =>
        (endToEndId !== undefined && payment.endToEndId.startsWith(endToEndId)) ||
        (payment.amountCents === sought.amountCents && payment.paidAt >= from && payment.paidAt < until),
    ) ||
    (payer !== undefined && (payer.taxId === payerTaxId || isSoughtName(payer.name, sought)))
  )
}

const groupPayments = ({ payments }: CompanyState): ReadonlyMap<string, Array<Payment>> => {
  const known = new Map<string, Array<Payment>>()
  for (const { payment } of payments.values()) {
    if (payment.chargeId !== undefined) valueAt(known, payment.chargeId, () => []).push(payment)
  }
  return known
}

const meets = (charge: Charge, { amount, due, paid }: ChargeSearch): boolean => {
  const { amountCents, dueDate } = charge
  return (
    (amount === undefined || (amount.minCents <= amountCents && amountCents <= amount.maxCents)) &&
    (due === undefined || (dueDate !== undefined && due.from <= dueDate && dueDate <= due.until)) &&
    (paid === undefined || ("payment" in charge && isWithin(paid, charge.payment.paidAt)))
  )
}

const findCharges = (issuer: Cnpj, company: CompanyState, search: ChargeSearch): ReadonlyArray<Charge> => {
  const { status, text, from, until } = search
  const charges = Array.from(company.charges.values(), ({ charge }) => charge)
  const wanted = text === undefined ? undefined : readSoughtText(text, issuer)
  const payments = wanted && groupPayments(company)
  return charges.filter(
    (charge) =>
      (status === undefined || chargeStatus(charge, status.at) === status.is) &&
      meets(charge, search) &&
      (wanted === undefined || matches(wanted, charge, payments?.get(charge.id) ?? [], { from, until })),
  )
}

const byId = (a: Return, b: Return): number => (a.id < b.id ? -1 : 1)

export const makeChargeLists = ({ company }: MemoryState): ChargeLists["Service"] =>
  ChargeLists.of({
    charges: (issuer, search, request) =>
      readPage("charges", () => findCharges(issuer, company(issuer), search), {
        position: ({ createdAt, id }) => ({ at: createdAt, id }),
        period: search,
        request,
        newestFirst: true,
      }),
    payments: (issuer, period, request) =>
      readPage("payments", () => Array.from(company(issuer).payments.values(), ({ payment }) => payment), {
        position: ({ paidAt, endToEndId }) => ({ at: paidAt, id: endToEndId }),
        period,
        request,
      }),
    payment: (issuer, endToEndId) => Effect.sync(() => company(issuer).payments.get(endToEndId)?.payment),
    paymentInAnyCase: (issuer, endToEndId) =>
      Effect.sync(() => {
        const { payments } = company(issuer)
        const isMeant = ({ payment }: PaymentRow) => isSamePaymentId(payment.endToEndId, endToEndId)
        return (payments.get(endToEndId) ?? [...payments.values()].find(isMeant))?.payment
      }),
    paymentsById: (issuer, endToEndIds) =>
      Effect.sync(() => [...new Set(endToEndIds)].flatMap((id) => company(issuer).payments.get(id)?.payment ?? [])),
    paymentsAt: (issuer, { from, until }) =>
      Effect.sync(() =>
        Array.from(company(issuer).payments.values(), ({ payment }) => payment)
          .filter(({ paidAt }) => paidAt >= from && paidAt < until)
          .toSorted((a, b) => a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1))
          .slice(0, 1_000),
      ),
    returnsOf: (issuer, endToEndIds) =>
      Effect.sync(() =>
        [...new Set(endToEndIds)]
          .toSorted()
          .flatMap((endToEndId) => (company(issuer).returns.get(endToEndId) ?? []).toSorted(byId))
          .toSorted((a, b) => a.returnedAt - b.returnedAt),
      ),
    returns: (issuer, period, request) =>
      readPage("returns", () => [...company(issuer).returns.values()].flat(), {
        position: ({ returnedAt, endToEndId, id }) => ({ at: returnedAt, id: `${endToEndId} ${id}` }),
        period,
        request,
      }),
  })
