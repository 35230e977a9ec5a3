import { encodeBrCode } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import {
  chargeKind,
  chargePayments,
  type Ledger,
  type LedgerCharge,
  type LedgerChargeLocation,
  type LedgerPayment,
  type LedgerReturn,
} from "../ledger/Ledger.ts"
import { decimal, instant } from "../ledger/apiValues.ts"
import type { BankAccount, BankWays } from "./BankOptions.ts"

const returnStatuses = {
  making: "EM_PROCESSAMENTO",
  processing: "EM_PROCESSAMENTO",
  returned: "DEVOLVIDO",
  rejected: "NAO_REALIZADO",
}

const usualNatures = { refund: "ORIGINAL", outside: "ORIGINAL", dispute: "MED_FRAUDE" }

/** The API's `Devolucao`. */
export const returnBody = (row: LedgerReturn) => ({
  id: row.id,
  rtrId: row.rtrId,
  valor: decimal(row.amountCents),
  natureza: row.nature ?? usualNatures[row.kind],
  ...(row.description !== undefined && { descricao: row.description }),
  horario: {
    solicitacao: instant(row.createdAt),
    ...(row.returnedAt !== undefined && { liquidacao: instant(row.returnedAt) }),
  },
  status: returnStatuses[row.status],
  ...(row.status === "rejected" && { motivo: "the payer's account is closed" }),
})

/** The API's `Pix`. */
export const paymentBody = (payment: LedgerPayment) => {
  const { endToEndId, txid, pixKey, amountCents, paidAt, payerText, returns } = payment
  const shown = returns.filter(({ status }) => status !== "making")
  return {
    endToEndId,
    ...(txid !== undefined && { txid }),
    valor: decimal(amountCents),
    ...(pixKey !== "" && { chave: pixKey }),
    horario: instant(paidAt),
    ...(payerText !== undefined && { infoPagador: payerText }),
    ...(shown.length > 0 && { devolucoes: shown.map(returnBody) }),
  }
}

const merchant = { merchantName: "Banco de Teste", merchantCity: "Brasilia" }

/** A code for a charge's location, and for a recurrence's location if it is given. */
export const codeFor = (url: string, recurrenceUrl?: string): string =>
  Result.getOrThrow(
    encodeBrCode({ _tag: "Dynamic", url, ...merchant, ...(recurrenceUrl !== undefined && { recurrenceUrl }) }),
  )

export const recurrenceCodeFor = (recurrenceUrl: string): string =>
  Result.getOrThrow(encodeBrCode({ _tag: "Recurrence", recurrenceUrl, ...merchant }))

/** The code for a charge, correct or with a typical fault of banks. */
const copyAndPasteCode = (location: string, key: string, way: BankWays["code"]): string | undefined => {
  switch (way) {
    case "given":
      return codeFor(location)
    case "broken":
      return `${codeFor(location).slice(0, -4)}0000`
    case "ofAnother":
      return codeFor(location.replace(/.$/, (last) => (last === "0" ? "1" : "0")))
    case "static":
      return Result.getOrThrow(encodeBrCode({ _tag: "Static", key, ...merchant }))
    default:
      return undefined
  }
}

const chargeStatuses = { making: "ATIVA", active: "ATIVA", completed: "CONCLUIDA" }
const removals = { company: "REMOVIDA_PELO_USUARIO_RECEBEDOR", bank: "REMOVIDA_PELO_PSP" }

export const removalByCompany = removals.company

/** The API's `PayloadLocation`. */
export const locationBody = ({ id, url, kind, createdAt }: LedgerChargeLocation) => ({
  id,
  location: url,
  tipoCob: kind,
  criacao: instant(createdAt),
})

export const statusBody = ({ status, removedBy = "company" }: LedgerCharge): string =>
  status === "removed" ? removals[removedBy] : chargeStatuses[status]

/** The API's `CobCompleta` or `CobVCompleta`. */
export const chargeBody = (charge: LedgerCharge, account: BankAccount, ledger: Ledger, ways: BankWays) => {
  const { issuer, txid, createdAt, locationId, terms, revision } = charge
  const kind = chargeKind(terms)
  const payments = chargePayments(ledger, issuer, txid)
  const location = ledger.locations.get(locationId ?? 0)
  const code = location && copyAndPasteCode(location.url, account.pixKeys[0] ?? "", ways.code)
  const { devedor, ...requested } = terms.body ?? {}
  return {
    ...requested,
    ...(devedor !== undefined && ways.payersInCharges && { devedor }),
    calendario: { criacao: instant(createdAt), ...terms.body?.calendario },
    txid,
    revisao: revision,
    status: statusBody(charge),
    ...(kind === "cobv" && {
      recebedor: {
        cnpj: account.cnpj,
        nome: account.name,
        logradouro: "Rua da Prova, 1",
        cidade: "Brasilia",
        uf: "DF",
        cep: "70000000",
      },
    }),
    ...(location !== undefined && ways.code !== "nothing" && { location: location.url, loc: locationBody(location) }),
    ...(code !== undefined && { pixCopiaECola: code }),
    ...(ways.paymentsInCharges && payments.length > 0 && { pix: payments.map(paymentBody) }),
  }
}
