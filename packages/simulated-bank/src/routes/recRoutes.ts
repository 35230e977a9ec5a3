import type { Cnpj } from "@pixcharge/core/party"
import type { Bank } from "../bank/Bank.ts"
import type { LedgerLocation, LedgerRec, RecBody } from "../ledger/RecurringLedger.ts"
import { dayAt } from "../ledger/apiValues.ts"
import { readTaxId } from "../recurring/Payers.ts"
import { locationBody, recBody, wholeRecBody } from "../recurring/bodies.ts"
import type { BankAccount } from "../wire/BankOptions.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import { codeFor, recurrenceCodeFor } from "../wire/bodies.ts"
import { type Check, hasTaxId, isAbsentOr, isAmount, isDay, isText, refuseFlaw } from "../wire/checks.ts"
import { fields } from "../wire/json.ts"
import type { BankCall, Routes } from "./BankCall.ts"
import { answerList, isWithin } from "./listPages.ts"

const missing = problem(404, "RecNaoEncontrada", "no recurrence with this idRec")

/** Finds a recurrence, and ends it first if its last day is over. */
export const findRec = ({ recurring }: Bank, { cnpj }: BankAccount, idRec: unknown): LedgerRec | undefined => {
  const rec = recurring.ledger.recs.get(String(idRec))
  if (rec?.issuer !== cnpj) return undefined
  recurring.recurrences.look(rec)
  return rec
}

/** True if the location belongs to the account and shows no other recurrence. */
const isFree = ({ recurring }: Bank, { cnpj }: BankAccount, id: unknown, idRec?: string): boolean => {
  const location = recurring.ledger.locations.get(Number(id))
  return location?.issuer === cnpj && (location.idRec ?? idRec) === idRec
}

const isImmediateCharge = (bank: Bank, { cnpj }: BankAccount, txid: unknown): boolean => {
  const charge = bank.getCharge(cnpj as Cnpj, String(txid))
  return charge !== undefined && charge.terms.dueDate === undefined
}

const readFirstTxid = (ativacao: unknown): unknown => fields(fields(ativacao)["dadosJornada"])["txid"]

const checkRec = (bank: Bank, account: BankAccount, body: unknown): ReadonlyArray<Check> => {
  const { vinculo, calendario, valor, politicaRetentativa, recebedor, ativacao, loc } = fields(body)
  const { contrato, objeto, devedor } = fields(vinculo)
  const { dataInicial, dataFinal, periodicidade } = fields(calendario)
  const { valorRec, valorMinimoRecebedor } = fields(valor)
  const txid = readFirstTxid(ativacao)
  return [
    ["vinculo.contrato", isText(contrato, 35)],
    ["vinculo.objeto", isAbsentOr(objeto, isText(objeto, 35))],
    ["vinculo.devedor", isText(fields(devedor)["nome"], 140) && hasTaxId(fields(devedor))],
    ["calendario.dataInicial", isDay(dataInicial) && dataInicial >= dayAt(bank.chance.now())],
    ["calendario.dataFinal", isAbsentOr(dataFinal, isDay(dataFinal) && dataFinal >= String(dataInicial))],
    [
      "calendario.periodicidade",
      ["SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"].includes(String(periodicidade)),
    ],
    ["valor.valorRec", isAbsentOr(valorRec, isAmount(valorRec))],
    [
      "valor.valorMinimoRecebedor",
      isAbsentOr(valorMinimoRecebedor, isAmount(valorMinimoRecebedor) && valorRec === undefined),
    ],
    ["politicaRetentativa", ["NAO_PERMITE", "PERMITE_3R_7D"].includes(String(politicaRetentativa))],
    // This bank knows no agreements (`convenio`).
    ["recebedor.convenio", fields(recebedor)["convenio"] === undefined],
    ["loc", isAbsentOr(loc, isFree(bank, account, loc))],
    ["ativacao.dadosJornada.txid", isAbsentOr(txid, isImmediateCharge(bank, account, txid))],
  ]
}

/** Each call makes a new recurrence. */
const postRec = ({ bank, account, readBody }: BankCall): BankAnswer => {
  const body = readBody()
  const refusal = refuseFlaw("RecOperacaoInvalida", "rec", checkRec(bank, account, body))
  if (refusal !== undefined) return refusal
  const { loc, ativacao } = fields(body)
  const txid = readFirstTxid(ativacao)
  const { recurrences, ledger } = bank.recurring
  const rec = recurrences.create(account.cnpj as Cnpj, body as RecBody, {
    ...(loc !== undefined && { locationId: Number(loc) }),
    ...(txid !== undefined && { firstTxid: String(txid) }),
  })
  return { status: 201, body: recBody(rec, account, ledger) }
}

/** The code that a payer scans, with the given charge; a problem if the charge doesn't match the recurrence. */
const composeCode = (bank: Bank, rec: LedgerRec, txid: string | null): object | BankAnswer => {
  const url = bank.recurring.ledger.locations.get(rec.locationId ?? 0)?.location
  if (url === undefined || rec.status !== "CRIADA") return {}
  if (txid === null) return { dadosQR: { jornada: "JORNADA_2", pixCopiaECola: recurrenceCodeFor(url) } }
  const charge = bank.getCharge(rec.issuer, txid)
  const isDated = charge?.terms.dueDate !== undefined
  if (charge?.locationId === undefined || (!isDated && txid !== rec.firstTxid)) {
    return problem(400, "RecConsultaInvalida", "the charge doesn't go with the recurrence", "txid")
  }
  const pixCopiaECola = codeFor(charge.location, url)
  return { dadosQR: { jornada: isDated ? "JORNADA_4" : "JORNADA_3", pixCopiaECola } }
}

const getRec = ({ bank, account, id: idRec, query }: BankCall): BankAnswer => {
  const rec = findRec(bank, account, idRec)
  if (rec === undefined) return missing
  const code = composeCode(bank, rec, query.get("txid"))
  if ("status" in code) return code
  return { status: 200, body: { ...wholeRecBody(rec, account, bank.recurring.ledger), ...code } }
}

const listRecs = (call: BankCall): BankAnswer => {
  const { bank, account, query } = call
  const { ledger } = bank.recurring
  const [cpf, cnpj, status, located] = ["cpf", "cnpj", "status", "locationPresente"].map((name) => query.get(name))
  return answerList(call, {
    kind: "RecConsultaInvalida",
    resource: "rec",
    items: "recs",
    find: (period) =>
      [...ledger.recs.keys()]
        .flatMap((idRec) => findRec(bank, account, idRec) ?? [])
        .filter(
          (rec) =>
            isWithin(period, rec.createdAt) &&
            (cpf ?? cnpj ?? readTaxId(rec)) === readTaxId(rec) &&
            (status ?? rec.status) === rec.status &&
            (located === null || (located === "true") === (rec.locationId !== undefined)),
        ),
    write: (rec) => wholeRecBody(rec, account, ledger),
  })
}

const checkRevision = (bank: Bank, account: BankAccount, rec: LedgerRec, body: unknown): ReadonlyArray<Check> => {
  const { status, vinculo, loc, calendario, ativacao } = fields(body)
  const { nome } = fields(fields(vinculo)["devedor"])
  const { dataInicial } = fields(calendario)
  const txid = readFirstTxid(ativacao)
  const isNew = rec.status === "CRIADA"
  return [
    ["status", isNew || rec.status === "APROVADA"],
    ["status", isAbsentOr(status, status === "CANCELADA")],
    ["vinculo.devedor.nome", isAbsentOr(nome, isText(nome, 140))],
    ["loc", isAbsentOr(loc, isNew && isFree(bank, account, loc, rec.idRec))],
    [
      "calendario.dataInicial",
      isAbsentOr(dataInicial, isNew && isDay(dataInicial) && dataInicial >= dayAt(rec.createdAt)),
    ],
    ["ativacao.dadosJornada.txid", isAbsentOr(txid, isImmediateCharge(bank, account, txid))],
  ]
}

const patchRec = ({ bank, account, id: idRec, readBody }: BankCall): BankAnswer => {
  const body = readBody()
  const rec = findRec(bank, account, idRec)
  if (rec === undefined) return missing
  const refusal = refuseFlaw("RecOperacaoInvalida", "rec", checkRevision(bank, account, rec, body))
  if (refusal !== undefined) return refusal
  const { recurring } = bank
  const { status, vinculo, loc, calendario, ativacao } = fields(body)
  const { nome = rec.body.vinculo.devedor["nome"] } = fields(fields(vinculo)["devedor"])
  const txid = readFirstTxid(ativacao)
  const { body: known } = rec
  rec.body = {
    ...known,
    vinculo: { ...known.vinculo, devedor: { ...known.vinculo.devedor, nome: String(nome) } },
    calendario: { ...known.calendario, ...fields(calendario) },
  }
  if (loc !== undefined) recurring.recurrences.link(rec, Number(loc))
  if (txid !== undefined) rec.firstTxid = String(txid)
  if (status !== undefined) recurring.end(rec, { by: "USUARIO_RECEBEDOR", code: "SLCR" })
  return { status: 200, body: recBody(rec, account, recurring.ledger) }
}

const noLocation = problem(404, "PayloadLocationRecNaoEncontrado", "no location with this id")

const findLocation = ({ bank, account, id }: BankCall): LedgerLocation | undefined => {
  const location = bank.recurring.ledger.locations.get(Number(id))
  return location?.issuer === account.cnpj ? location : undefined
}

const postLocation = ({ bank, account }: BankCall): BankAnswer => ({
  status: 201,
  body: locationBody(bank.recurring.recurrences.createLocation(account.cnpj as Cnpj)),
})

const getLocation = (call: BankCall): BankAnswer => {
  const location = findLocation(call)
  return location === undefined ? noLocation : { status: 200, body: locationBody(location) }
}

const unlinkLocation = (call: BankCall): BankAnswer => {
  const location = findLocation(call)
  if (location === undefined) return noLocation
  const { recurrences, ledger } = call.bank.recurring
  const rec = ledger.recs.get(location.idRec ?? "")
  if (rec !== undefined) recurrences.link(rec, undefined)
  return { status: 200, body: locationBody(location) }
}

const listLocations = (call: BankCall): BankAnswer => {
  const { bank, account, query } = call
  const isLinked = query.get("idRecPresente")
  return answerList(call, {
    kind: "PayloadLocationRecConsultaInvalida",
    resource: "loc",
    items: "loc",
    find: (period) =>
      [...bank.recurring.ledger.locations.values()].filter(
        ({ issuer, createdAt, idRec }) =>
          issuer === account.cnpj &&
          isWithin(period, createdAt) &&
          (isLinked === null || (isLinked === "true") === (idRec !== undefined)),
      ),
    write: locationBody,
  })
}

export const recRoutes: Routes = {
  "POST rec": postRec,
  "GET rec": listRecs,
  "GET rec {id}": getRec,
  "PATCH rec {id}": patchRec,
  "POST locrec": postLocation,
  "GET locrec": listLocations,
  "GET locrec {id}": getLocation,
  "DELETE locrec {id} idRec": unlinkLocation,
}
