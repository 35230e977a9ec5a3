import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cnpj } from "@pixcharge/core/party"
import * as Predicate from "effect/Predicate"
import type { Bank, BankOrder, ChargeAnswer } from "./Bank.ts"
import type { BankAccount } from "./BankOptions.ts"
import { findChargeFlaw } from "./chargeRules.ts"
import { chargeBody, codeFor, removalByCompany, statusBody } from "./bodies.ts"
import { type ChargeBody, chargeKey, chargeKind, type ChargeTerms, type LedgerCharge } from "./Ledger.ts"
import type { ChargeKind as Kind } from "./Ledger.ts"
import { isWithin, readPeriod, writePage } from "./listPages.ts"
import { problem, type BankAnswer } from "./problems.ts"
import { fields } from "./ways/fields.ts"
import { parseCents } from "./wire.ts"

const operationInvalid = (kind: Kind, detail: string, property: string, status = 400) =>
  problem(status, kind === "cob" ? "CobOperacaoInvalida" : "CobVOperacaoInvalida", detail, `${kind}.${property}`)

const notFound = (kind: Kind) =>
  problem(404, kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada", "no charge with this txid")

/** The day in Brasília, which has kept UTC-3 since 2019. */
const todayAt = ({ chance }: Bank): string => new Date(chance.now() - 3 * 3_600_000).toISOString().slice(0, 10)

const txidForm = /^[a-zA-Z0-9]{26,35}$/

const dayMs = 86_400_000

/** The end of a day in Brasília, which has kept UTC-3 since 2019. */
const endOfDay = (date: unknown): number => Date.parse(`${String(date)}T03:00:00Z`) + dayMs - 1

/** The terms in a body, with what the API has where it says nothing. */
const readTerms = (kind: Kind, requested: ChargeBody, createdAt: number): ChargeTerms => {
  const { dataDeVencimento, validadeAposVencimento = 30, expiracao = 86_400 } = requested.calendario
  const calendario = kind === "cobv" ? { dataDeVencimento, validadeAposVencimento } : { expiracao }
  const body = { ...requested, calendario }
  const { valor } = body
  return {
    amountCents: parseCents(valor.original),
    ...(kind === "cobv" && { dueDate: dataDeVencimento as LocalDate }),
    payableUntil:
      kind === "cobv"
        ? endOfDay(dataDeVencimento) + Number(validadeAposVencimento) * dayMs
        : createdAt + Number(expiracao) * 1_000,
    body,
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The location that a request names, and the request without it. */
const takeLocation = (body: unknown) => {
  const { loc, ...terms } = fields(body)
  const { id } = fields(loc)
  return { terms: terms as unknown as ChargeBody, ...(id !== undefined && { locationId: Number(id) }) }
}

const findLocationFlaw = ({ locations }: Bank, { cnpj }: BankAccount, kind: Kind, txid: string, body: unknown) => {
  const { loc } = fields(body)
  return loc === undefined || locations.takes(cnpj, fields(loc)["id"], kind, txid) ? undefined : "loc.id"
}

/** The account's charge, if it is of this kind. */
const findCharge = (bank: Bank, { cnpj }: BankAccount, kind: Kind, txid: string): LedgerCharge | undefined => {
  const known = bank.getCharge(cnpj as Cnpj, txid)
  return known !== undefined && chargeKind(known.terms) === kind ? known : undefined
}

const showCharge = (
  { ledger, ways }: Bank,
  account: BankAccount,
  status: number,
  charge: LedgerCharge,
): BankAnswer => ({
  status,
  body: chargeBody(charge, account, ledger, ways),
})

/** The bank's answer in the API's form. */
const toAnswer = (bank: Bank, account: BankAccount, kind: Kind, status: number, answered: ChargeAnswer): BankAnswer => {
  if (answered._tag === "Charge") return showCharge(bank, account, status, answered.charge)
  const { reason, property, isConflict } = answered
  return operationInvalid(kind, reason, property, isConflict ? 409 : 400)
}

/** `PUT /cob/{txid}` and `PUT /cobv/{txid}`. */
export const putCharge = async (
  bank: Bank,
  account: BankAccount,
  kind: Kind,
  txid: string,
  body: unknown,
): Promise<BankAnswer> => {
  if (!txidForm.test(txid)) return problem(400, "RequisicaoInvalida", "the txid is malformed", "txid")
  const flaw = findChargeFlaw(kind, body, account, todayAt(bank)) ?? findLocationFlaw(bank, account, kind, txid, body)
  if (flaw !== undefined) return operationInvalid(kind, "breaks the schema", flaw)
  const issuer = account.cnpj as Cnpj
  const since = bank.ledger.charges.get(chargeKey(issuer, txid))?.createdAt ?? bank.chance.now()
  const { terms, ...place } = takeLocation(body)
  const order: BankOrder = { issuer, txid, terms: readTerms(kind, terms, since), ...place }
  const answered = await new Promise<ChargeAnswer>((answer) => bank.putCharge(order, answer))
  return toAnswer(bank, account, kind, 201, answered)
}

/** `POST /cob`, for which the bank chooses the txid. */
export const postCharge = (bank: Bank, account: BankAccount, body: unknown): Promise<BankAnswer> =>
  putCharge(bank, account, "cob", bank.chance.text(32), body)

/** `GET /cob/{txid}` and `GET /cobv/{txid}`. */
export const getCharge = (bank: Bank, account: BankAccount, kind: Kind, txid: string): BankAnswer => {
  const known = findCharge(bank, account, kind, txid)
  return known === undefined ? notFound(kind) : showCharge(bank, account, 200, known)
}

/** `GET` of the code below the charge, for banks that have it there. */
export const getCode = (bank: Bank, account: BankAccount, kind: Kind, txid: string): BankAnswer => {
  const known = findCharge(bank, account, kind, txid)
  return known?.locationId !== undefined && bank.ways.code === "ownCall"
    ? { status: 200, body: { emv: codeFor(known.location) } }
    : notFound(kind)
}

/** `PATCH` of the same: removes the charge, or changes the fields in the body; a removal allows no other field. */
export const patchCharge = (bank: Bank, account: BankAccount, kind: Kind, txid: string, body: unknown): BankAnswer => {
  const known = findCharge(bank, account, kind, txid)
  if (known === undefined) return notFound(kind)
  if (!Predicate.isObject(body)) return operationInvalid(kind, "breaks the schema", "body")
  const { terms, ...place } = takeLocation(body)
  const revised = { ...known.terms.body, ...terms }
  const isRemoval = isSame(body, { status: removalByCompany })
  const flaw =
    "status" in body
      ? !isRemoval && "status"
      : (findChargeFlaw(kind, revised, account, todayAt(bank)) ?? findLocationFlaw(bank, account, kind, txid, body))
  if (flaw) return operationInvalid(kind, "breaks the schema", flaw)
  const { issuer, createdAt } = known
  const answered = isRemoval
    ? bank.removeCharge(issuer, txid)
    : bank.alterCharge({ issuer, txid, terms: readTerms(kind, revised, createdAt), ...place })
  return answered === undefined ? notFound(kind) : toAnswer(bank, account, kind, 200, answered)
}

/** `GET /cob` and `GET /cobv`. */
export const listCharges = (bank: Bank, account: BankAccount, resource: Kind, query: URLSearchParams): BankAnswer => {
  const kind = resource === "cob" ? "CobConsultaInvalida" : "CobVConsultaInvalida"
  const period = readPeriod(bank, query, kind, resource)
  if ("status" in period) return period
  const [cpf, cnpj, status, located] = ["cpf", "cnpj", "status", "locationPresente"].map((name) => query.get(name))
  const found = [...bank.ledger.charges.values()].filter((charge) => {
    const { issuer, createdAt, terms, locationId } = charge
    const payer = fields(terms.body?.devedor)
    return (
      issuer === account.cnpj &&
      charge.status !== "making" &&
      chargeKind(terms) === resource &&
      isWithin(period, createdAt) &&
      (cpf ?? payer["cpf"]) === payer["cpf"] &&
      (cnpj ?? payer["cnpj"]) === payer["cnpj"] &&
      (status ?? statusBody(charge)) === statusBody(charge) &&
      (located === null || (located === "true") === (locationId !== undefined))
    )
  })
  const list = { ways: bank.ways, query, period, found, kind }
  return writePage(list, "cobs", (charge) => chargeBody(charge, account, bank.ledger, bank.ways))
}
