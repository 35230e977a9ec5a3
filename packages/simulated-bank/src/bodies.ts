import { encodeBrCode } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import { type LedgerCharge, type LedgerPayment, type LedgerReturn, type Ledger, decimal, instant } from "./Ledger.ts"
import type { BankWays } from "./BankOptions.ts"

/** A return as the API shows it (`Devolucao`). */
export const returnBody = ({ id, rtrId, cents, nature, askedAt, settledAt, status, reason }: LedgerReturn) => ({
  id,
  rtrId,
  valor: decimal(cents),
  natureza: nature,
  horario: { solicitacao: instant(askedAt), ...(settledAt !== undefined && { liquidacao: instant(settledAt) }) },
  status,
  ...(reason !== undefined && { motivo: reason }),
})

/** A payment as the API shows it (`Pix`). */
export const paymentBody = ({ endToEndId, txid, pixKey, cents, paidAt, payerText, returns }: LedgerPayment) => ({
  endToEndId,
  ...(txid !== undefined && { txid }),
  valor: decimal(cents),
  chave: pixKey,
  horario: instant(paidAt),
  ...(payerText !== undefined && { infoPagador: payerText }),
  ...(returns.length > 0 && { devolucoes: returns.map(returnBody) }),
})

/** A code that leads to a location. */
export const codeFor = (url: string): string =>
  Result.getOrThrow(encodeBrCode({ _tag: "Dynamic", url, merchantName: "Banco de Teste", merchantCity: "Brasilia" }))

/** The copy-and-paste code, right or with one of the faults that banks have. */
const copyAndPasteCode = ({ location, account }: LedgerCharge, way: BankWays["code"]): string | undefined => {
  switch (way) {
    case "given":
      return codeFor(location)
    case "broken":
      return `${codeFor(location).slice(0, -4)}0000`
    case "ofAnother":
      return codeFor(location.replace(/.$/, (last) => (last === "0" ? "1" : "0")))
    case "static":
      return Result.getOrThrow(
        encodeBrCode({
          _tag: "Static",
          key: account.pixKeys[0] ?? "",
          merchantName: "Banco de Teste",
          merchantCity: "Brasilia",
        }),
      )
    default:
      return undefined
  }
}

const chargePayments = ({ account, txid }: LedgerCharge, ledger: Ledger): ReadonlyArray<LedgerPayment> =>
  [...ledger.payments.values()].filter((payment) => payment.account === account && payment.txid === txid)

/** A charge as the API shows it (`CobCompleta`, `CobVCompleta`). */
export const chargeBody = (charge: LedgerCharge, ledger: Ledger, ways: BankWays) => {
  const { txid, kind, createdAt, locationId, location, terms, revision, status, account } = charge
  const payments = chargePayments(charge, ledger)
  const code = copyAndPasteCode(charge, ways.code)
  const { devedor, ...asked } = terms
  return {
    ...asked,
    ...(devedor !== undefined && ways.payersInCharges && { devedor }),
    calendario: { criacao: instant(createdAt), ...terms.calendario },
    txid,
    revisao: revision,
    status,
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
    ...(ways.code !== "nothing" && {
      location,
      loc: { id: locationId, location, tipoCob: kind, criacao: instant(createdAt) },
    }),
    ...(code !== undefined && { pixCopiaECola: code }),
    ...(ways.paymentsInCharges && payments.length > 0 && { pix: payments.map(paymentBody) }),
  }
}
