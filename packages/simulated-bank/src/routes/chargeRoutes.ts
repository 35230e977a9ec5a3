import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cnpj } from "@pixcharge/core/party"
import * as Predicate from "effect/Predicate"
import type { BankOrder, ChargeAnswer } from "../bank/Bank.ts"
import {
  type ChargeBody,
  chargeKey,
  chargeKind,
  type ChargeKind,
  type ChargeKind as Kind,
  type ChargeTerms,
  type LedgerCharge,
  type LedgerChargeLocation,
} from "../ledger/Ledger.ts"
import { dayAt, endOfDay, parseCents } from "../ledger/apiValues.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import { chargeBody, codeFor, locationBody, removalByCompany, statusBody } from "../wire/bodies.ts"
import { findChargeFlaw } from "../wire/checks.ts"
import { fields } from "../wire/json.ts"
import type { BankCall, Routes } from "./BankCall.ts"
import { answerList, isWithin } from "./listPages.ts"

const operationInvalid = (kind: Kind, detail: string, property: string, status = 400) =>
  problem(status, kind === "cob" ? "CobOperacaoInvalida" : "CobVOperacaoInvalida", detail, `${kind}.${property}`)

const notFound = (kind: Kind) =>
  problem(404, kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada", "no charge with this txid")

const txidForm = /^[a-zA-Z0-9]{26,35}$/

const dayMs = 86_400_000

/** Fills in the API's defaults. */
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
        ? endOfDay(String(dataDeVencimento)) + Number(validadeAposVencimento) * dayMs
        : createdAt + Number(expiracao) * 1_000,
    body,
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Separates a request's location from its terms. */
const takeLocation = (body: unknown) => {
  const { loc, ...terms } = fields(body)
  const { id } = fields(loc)
  return { terms: terms as unknown as ChargeBody, ...(id !== undefined && { locationId: Number(id) }) }
}

const kindOf = ({ resource }: BankCall): Kind => resource as Kind

const findLocationFlaw = (call: BankCall, txid: string, body: unknown): string | undefined => {
  const { bank, account } = call
  const { loc } = fields(body)
  return loc === undefined || bank.locations.takes(account.cnpj, fields(loc)["id"], kindOf(call), txid)
    ? undefined
    : "loc.id"
}

/** The property that breaks the first rule. */
const findFlaw = (call: BankCall, txid: string, body: unknown, terms = body): string | undefined => {
  const today = dayAt(call.bank.chance.now())
  return findChargeFlaw(kindOf(call), terms, call.account, today) ?? findLocationFlaw(call, txid, body)
}

const findCharge = (call: BankCall): LedgerCharge | undefined => {
  const known = call.bank.getCharge(call.account.cnpj as Cnpj, call.id)
  return known !== undefined && chargeKind(known.terms) === kindOf(call) ? known : undefined
}

const showCharge = (
  { bank: { ledger, ways }, account }: BankCall,
  status: number,
  charge: LedgerCharge,
): BankAnswer => ({
  status,
  body: chargeBody(charge, account, ledger, ways),
})

const toAnswer = (call: BankCall, status: number, answered: ChargeAnswer): BankAnswer => {
  if (answered._tag === "Charge") return showCharge(call, status, answered.charge)
  const { reason, property, isConflict } = answered
  return operationInvalid(kindOf(call), reason, property, isConflict ? 409 : 400)
}

const makeCharge = async (call: BankCall, body: unknown, txid: string): Promise<BankAnswer> => {
  const { bank, account } = call
  const kind = kindOf(call)
  if (!txidForm.test(txid)) return problem(400, "RequisicaoInvalida", "the txid is malformed", "txid")
  const flaw = findFlaw(call, txid, body)
  if (flaw !== undefined) return operationInvalid(kind, "breaks the schema", flaw)
  const issuer = account.cnpj as Cnpj
  const since = bank.ledger.charges.get(chargeKey(issuer, txid))?.createdAt ?? bank.chance.now()
  const { terms, ...place } = takeLocation(body)
  const order: BankOrder = { issuer, txid, terms: readTerms(kind, terms, since), ...place }
  const result = await new Promise<ChargeAnswer>((answer) => bank.putCharge(order, answer))
  return toAnswer(call, 201, result)
}

const putCharge = (call: BankCall): Promise<BankAnswer> => makeCharge(call, call.readBody(), call.id)

/** The bank chooses the txid. */
const postCharge = (call: BankCall): Promise<BankAnswer> => makeCharge(call, call.readBody(), call.bank.chance.text(32))

/** The charge, or the terms of an earlier revision of it (`revisao`). */
const getCharge = (call: BankCall): BankAnswer => {
  const kind = kindOf(call)
  const known = findCharge(call)
  if (known === undefined) return notFound(kind)
  const wanted = call.query.get("revisao")
  if (wanted === null) return showCharge(call, 200, known)
  const revision = /^\d{1,9}$/.test(wanted) ? Number(wanted) : -1
  const terms = known.termsByRevision[revision]
  return terms === undefined
    ? problem(400, kind === "cob" ? "CobConsultaInvalida" : "CobVConsultaInvalida", "no such revision", "revisao")
    : showCharge(call, 200, { ...known, terms, revision })
}

/** The charge's code, which some banks serve below the charge. */
const getCode = (call: BankCall): BankAnswer => {
  const known = findCharge(call)
  return known?.locationId !== undefined && call.bank.ways.code === "ownCall"
    ? { status: 200, body: { emv: codeFor(known.location) } }
    : notFound(kindOf(call))
}

/** Removes the charge, or changes the fields in the body. A removal allows no other field. */
const patchCharge = (call: BankCall): BankAnswer => {
  const kind = kindOf(call)
  const { bank, id: txid } = call
  const body = call.readBody()
  const known = findCharge(call)
  if (known === undefined) return notFound(kind)
  if (!Predicate.isObject(body)) return operationInvalid(kind, "breaks the schema", "body")
  const { terms, ...place } = takeLocation(body)
  const revised = { ...known.terms.body, ...terms }
  const isRemoval = isSame(body, { status: removalByCompany })
  const flaw = "status" in body ? !isRemoval && "status" : findFlaw(call, txid, body, revised)
  if (flaw) return operationInvalid(kind, "breaks the schema", flaw)
  const { issuer, createdAt } = known
  const result = isRemoval
    ? bank.removeCharge(issuer, txid)
    : bank.alterCharge({ issuer, txid, terms: readTerms(kind, revised, createdAt), ...place })
  return result === undefined ? notFound(kind) : toAnswer(call, 200, result)
}

const listCharges = (call: BankCall): BankAnswer => {
  const { bank, account, query } = call
  const [cpf, cnpj, status, located] = ["cpf", "cnpj", "status", "locationPresente"].map((name) => query.get(name))
  return answerList(call, {
    kind: kindOf(call) === "cob" ? "CobConsultaInvalida" : "CobVConsultaInvalida",
    resource: call.resource,
    items: "cobs",
    find: (period) =>
      [...bank.ledger.charges.values()].filter((charge) => {
        const { issuer, createdAt, terms, locationId } = charge
        const payer = fields(terms.body?.devedor)
        return (
          issuer === account.cnpj &&
          charge.status !== "making" &&
          chargeKind(terms) === kindOf(call) &&
          isWithin(period, createdAt) &&
          (cpf ?? payer["cpf"]) === payer["cpf"] &&
          (cnpj ?? payer["cnpj"]) === payer["cnpj"] &&
          (status ?? statusBody(charge)) === statusBody(charge) &&
          (located === null || (located === "true") === (locationId !== undefined))
        )
      }),
    write: (charge) => chargeBody(charge, account, bank.ledger, bank.ways),
  })
}

const noLocation = problem(404, "PayloadLocationNaoEncontrado", "no location with this id")

const isKind = (value: unknown): value is ChargeKind => value === "cob" || value === "cobv"

const wholeBody = (location: LedgerChargeLocation) => ({
  ...locationBody(location),
  ...(location.txid !== undefined && { txid: location.txid }),
})

const postLocation = ({ bank, account, readBody }: BankCall): BankAnswer => {
  const { tipoCob: kind } = fields(readBody())
  return isKind(kind)
    ? { status: 201, body: locationBody(bank.locations.create(account.cnpj as Cnpj, kind)) }
    : problem(400, "PayloadLocationOperacaoInvalida", "breaks the schema", "loc.tipoCob")
}

const getLocation = ({ bank, account, id }: BankCall): BankAnswer => {
  const location = bank.locations.find(account.cnpj, id)
  return location === undefined ? noLocation : { status: 200, body: wholeBody(location) }
}

const clearLocation = ({ bank: { locations }, account, id }: BankCall): BankAnswer => {
  const location = locations.find(account.cnpj, id)
  if (location === undefined) return noLocation
  locations.clear(location)
  return { status: 200, body: locationBody(location) }
}

const listLocations = (call: BankCall): BankAnswer =>
  answerList(call, {
    kind: "PayloadLocationConsultaInvalida",
    resource: "loc",
    items: "loc",
    find: (period) => {
      const [isShown, wanted] = [call.query.get("txIdPresente"), call.query.get("tipoCob")]
      return [...call.bank.ledger.locations.values()].filter(
        (one) =>
          one.issuer === call.account.cnpj &&
          isWithin(period, one.createdAt) &&
          (wanted ?? one.kind) === one.kind &&
          (isShown === null || (isShown === "true") === (one.txid !== undefined)),
      )
    },
    write: wholeBody,
  })

const getQrCode = ({ bank, account, id }: BankCall): BankAnswer => {
  const location = bank.locations.find(account.cnpj, id)
  return location === undefined ? noLocation : { status: 200, body: { qrcode: codeFor(location.url) } }
}

export const chargeRoutes: Routes = {
  "POST cob": postCharge,
  "GET cob": listCharges,
  "GET cobv": listCharges,
  "PUT cob {id}": putCharge,
  "PUT cobv {id}": putCharge,
  "GET cob {id}": getCharge,
  "GET cobv {id}": getCharge,
  "GET cob {id} qrcode": getCode,
  "GET cobv {id} qrcode": getCode,
  "PATCH cob {id}": patchCharge,
  "PATCH cobv {id}": patchCharge,
  "POST loc": postLocation,
  "GET loc": listLocations,
  "GET loc {id}": getLocation,
  // One bank serves this in addition to the API.
  "GET loc {id} qrcode": getQrCode,
  "DELETE loc {id} txid": clearLocation,
}
