import type { Cnpj } from "@pixcharge/core/party"
import type { Bank } from "../Bank.ts"
import type { BankAccount } from "../BankOptions.ts"
import { isWithin, readPeriod, writePage } from "../listPages.ts"
import { problem, type BankAnswer } from "../problems.ts"
import { locationBody } from "./bodies.ts"
import type { LedgerLocation } from "./RecurringLedger.ts"

const missing = problem(404, "PayloadLocationRecNaoEncontrado", "no location with this id")

const findLocation = ({ recurring }: Bank, { cnpj }: BankAccount, id: string): LedgerLocation | undefined => {
  const location = recurring.ledger.locations.get(Number(id))
  return location?.issuer === cnpj ? location : undefined
}

/** `POST /locrec`. */
export const postLocation = ({ recurring }: Bank, { cnpj }: BankAccount): BankAnswer => ({
  status: 201,
  body: locationBody(recurring.recurrences.createLocation(cnpj as Cnpj)),
})

/** `GET /locrec/{id}`. */
export const getLocation = (bank: Bank, account: BankAccount, id: string): BankAnswer => {
  const location = findLocation(bank, account, id)
  return location === undefined ? missing : { status: 200, body: locationBody(location) }
}

/** `DELETE /locrec/{id}/idRec`. */
export const unlinkLocation = (bank: Bank, account: BankAccount, id: string): BankAnswer => {
  const location = findLocation(bank, account, id)
  if (location === undefined) return missing
  const { recurrences, ledger } = bank.recurring
  const rec = ledger.recs.get(location.idRec ?? "")
  if (rec !== undefined) recurrences.link(rec, undefined)
  return { status: 200, body: locationBody(location) }
}

/** `GET /locrec`. */
export const listLocations = (bank: Bank, { cnpj }: BankAccount, query: URLSearchParams): BankAnswer => {
  const kind = "PayloadLocationRecConsultaInvalida"
  const period = readPeriod(bank, query, kind, "loc")
  if ("status" in period) return period
  const isLinked = query.get("idRecPresente")
  const found = [...bank.recurring.ledger.locations.values()].filter(
    ({ issuer, createdAt, idRec }) =>
      issuer === cnpj &&
      isWithin(period, createdAt) &&
      (isLinked === null || (isLinked === "true") === (idRec !== undefined)),
  )
  return writePage({ ways: bank.ways, query, period, found, kind }, "loc", locationBody)
}
