import type { Cnpj } from "@pixcharge/core/party"
import type { Bank } from "./Bank.ts"
import type { BankAccount } from "./BankOptions.ts"
import { codeFor, locationBody } from "./bodies.ts"
import type { ChargeKind, LedgerChargeLocation } from "./Ledger.ts"
import { isWithin, readPeriod, writePage } from "./listPages.ts"
import { problem, type BankAnswer } from "./problems.ts"
import { fields } from "./ways/fields.ts"

const missing = problem(404, "PayloadLocationNaoEncontrado", "no location with this id")

const isKind = (value: unknown): value is ChargeKind => value === "cob" || value === "cobv"

const wholeBody = (location: LedgerChargeLocation) => ({
  ...locationBody(location),
  ...(location.txid !== undefined && { txid: location.txid }),
})

/** `POST /loc`. */
export const postChargeLocation = ({ locations }: Bank, { cnpj }: BankAccount, body: unknown): BankAnswer => {
  const { tipoCob: kind } = fields(body)
  return isKind(kind)
    ? { status: 201, body: locationBody(locations.create(cnpj as Cnpj, kind)) }
    : problem(400, "PayloadLocationOperacaoInvalida", "breaks the schema", "loc.tipoCob")
}

/** `GET /loc/{id}`. */
export const getChargeLocation = ({ locations }: Bank, { cnpj }: BankAccount, id: string): BankAnswer => {
  const location = locations.find(cnpj, id)
  return location === undefined ? missing : { status: 200, body: wholeBody(location) }
}

/** `DELETE /loc/{id}/txid`. */
export const clearChargeLocation = ({ locations }: Bank, { cnpj }: BankAccount, id: string): BankAnswer => {
  const location = locations.find(cnpj, id)
  if (location === undefined) return missing
  locations.clear(location)
  return { status: 200, body: locationBody(location) }
}

/** `GET /loc`. */
export const listChargeLocations = (bank: Bank, { cnpj }: BankAccount, query: URLSearchParams): BankAnswer => {
  const kind = "PayloadLocationConsultaInvalida"
  const period = readPeriod(bank, query, kind, "loc")
  if ("status" in period) return period
  const [isShown, wanted] = [query.get("txIdPresente"), query.get("tipoCob")]
  const found = [...bank.ledger.locations.values()].filter(
    (one) =>
      one.issuer === cnpj &&
      isWithin(period, one.createdAt) &&
      (wanted ?? one.kind) === one.kind &&
      (isShown === null || (isShown === "true") === (one.txid !== undefined)),
  )
  return writePage({ ways: bank.ways, query, period, found, kind }, "loc", wholeBody)
}

/** `GET /loc/{id}/qrcode`, which one bank has beside the API. */
export const getQrCode = ({ locations }: Bank, { cnpj }: BankAccount, id: string): BankAnswer => {
  const location = locations.find(cnpj, id)
  return location === undefined ? missing : { status: 200, body: { qrcode: codeFor(location.url) } }
}
