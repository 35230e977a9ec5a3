import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cnpj } from "@pixcharge/core/party"
import type { Bank } from "../Bank.ts"
import type { BankAccount } from "../BankOptions.ts"
import { chargeKey } from "../Ledger.ts"
import { isWithin, readPeriod, writePage } from "../listPages.ts"
import { problem, type BankAnswer } from "../problems.ts"
import { fields } from "../ways/fields.ts"
import { cycleBody } from "./bodies.ts"
import { type Check, isAbsentOr, isAmount, isDay, isText, refuseFlaw } from "./checks.ts"
import { liveAttempt } from "./Cycles.ts"
import { dayAt } from "./dates.ts"
import { readTaxId } from "./Payers.ts"
import { findRec } from "./recRoutes.ts"
import type { CycleBody, LedgerCycle, LedgerRec } from "./RecurringLedger.ts"

const kind = "CobROperacaoInvalida"
const missing = problem(404, "CobRNaoEncontrado", "no charge with this txid")

const findCycle = ({ recurring }: Bank, { cnpj }: BankAccount, txid: string): LedgerCycle | undefined =>
  recurring.ledger.cycles.get(chargeKey(cnpj, txid))

const show = (bank: Bank, account: BankAccount, cycle: LedgerCycle, status: number): BankAnswer => ({
  status,
  body: cycleBody(cycle, account, bank.ledger),
})

const isOwnAccount = ({ accountNumber }: BankAccount, recebedor: unknown): boolean => {
  const { conta, tipoConta, agencia } = fields(recebedor)
  return (
    isText(conta, 20) &&
    conta === (accountNumber ?? conta) &&
    ["CORRENTE", "POUPANCA", "PAGAMENTO"].includes(String(tipoConta)) &&
    isAbsentOr(agencia, isText(agencia, 4))
  )
}

const isAddress = (devedor: unknown): boolean => {
  const { email, logradouro, cidade, uf, cep, ...unknown } = fields(devedor)
  const texts = [email, logradouro, cidade].every((one) => isAbsentOr(one, isText(one, 200)))
  const isCoded = isAbsentOr(uf, isText(uf, 2)) && isAbsentOr(cep, isText(cep, 8))
  return texts && isCoded && Object.keys(unknown).length === 0
}

const checkCycle = (bank: Bank, account: BankAccount, rec: LedgerRec | undefined, body: unknown) => {
  const { calendario, valor, ajusteDiaUtil, recebedor, devedor, infoAdicional } = fields(body)
  const { dataDeVencimento: dueDate } = fields(calendario)
  const checks: ReadonlyArray<Check> = [
    ["infoAdicional", isAbsentOr(infoAdicional, isText(infoAdicional, 140))],
    ["calendario.dataDeVencimento", isDay(dueDate) && dueDate >= dayAt(bank.chance.now())],
    ["valor.original", isAmount(fields(valor)["original"])],
    ["ajusteDiaUtil", isAbsentOr(ajusteDiaUtil, typeof ajusteDiaUtil === "boolean")],
    ["recebedor", isOwnAccount(account, recebedor)],
    ["devedor", isAddress(devedor) && (devedor !== undefined || bank.ways.cyclePayer === "optional")],
    ["idRec", rec?.status === "CRIADA" || rec?.status === "APROVADA"],
    ["ciclo", rec === undefined || bank.recurring.cycles.findRival(rec, String(dueDate)) === undefined],
  ]
  return refuseFlaw(kind, "cobr", checks)
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const isTaken = (bank: Bank, { cnpj }: BankAccount, txid: string): boolean =>
  bank.ledger.charges.has(chargeKey(cnpj, txid)) || bank.recurring.ledger.cycles.has(chargeKey(cnpj, txid))

/** `PUT /cobr/{txid}`. */
export const putCycle = (bank: Bank, account: BankAccount, txid: string, body: unknown): BankAnswer => {
  if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) return problem(400, "RequisicaoInvalida", "the txid is malformed", "txid")
  const known = findCycle(bank, account, txid)
  if (known !== undefined && isSame(known.body, body) && bank.ways.putOnCycle === "repeats") {
    return show(bank, account, known, 201)
  }
  if (isTaken(bank, account, txid)) return problem(400, kind, "the txid is taken", "cobr.txid")
  const rec = findRec(bank, account, fields(body)["idRec"])
  const refusal = checkCycle(bank, account, rec, body)
  if (rec === undefined || refusal !== undefined) return refusal ?? missing
  const { recurring } = bank
  const cycle = recurring.cycles.create(rec, txid, body as CycleBody)
  // The answer is from before the payer's bank knows of it.
  const answer = show(bank, account, cycle, 201)
  recurring.cycles.takeUp(cycle)
  recurring.catchUp()
  return answer
}

/** `POST /cobr`, for which the bank chooses the txid. */
export const postCycle = (bank: Bank, account: BankAccount, body: unknown): BankAnswer =>
  putCycle(bank, account, bank.chance.text(32), body)

/** `GET /cobr/{txid}`. */
export const getCycle = (bank: Bank, account: BankAccount, txid: string): BankAnswer => {
  const cycle = findCycle(bank, account, txid)
  return cycle === undefined ? missing : show(bank, account, cycle, 200)
}

/** `PATCH /cobr/{txid}`, which only cancels. */
export const patchCycle = (bank: Bank, account: BankAccount, txid: string, body: unknown): BankAnswer => {
  const cycle = findCycle(bank, account, txid)
  if (cycle === undefined) return missing
  const { cycles } = bank.recurring
  if (!isSame(body, { status: "CANCELADA" }) || !cycles.isCancellable(cycle)) {
    return problem(400, kind, "the charge can't be cancelled any more", "cobr.status")
  }
  cycles.cancel(cycle, { by: "USUARIO_RECEBEDOR", code: "SLCR" })
  return show(bank, account, cycle, 200)
}

const checkRetry = (bank: Bank, cycle: LedgerCycle, on: string): ReadonlyArray<Check> => {
  const { rec, status, attempts, settlesOn } = cycle
  const hasThatDay = attempts.some((one) => one.settlesOn === on && one.status !== "REJEITADA")
  return [
    ["politicaRetentativa", rec.body.politicaRetentativa === "PERMITE_3R_7D"],
    ["status", status === "ATIVA"],
    ["tentativas", liveAttempt(cycle) === undefined && !hasThatDay],
    ["data", isDay(on) && on > dayAt(bank.chance.now()) && on > settlesOn],
  ]
}

/** `POST /cobr/{txid}/retentativa/{data}`. */
export const postRetry = (bank: Bank, account: BankAccount, txid: string, on: string): BankAnswer => {
  const cycle = findCycle(bank, account, txid)
  if (cycle === undefined) return missing
  const refusal = refuseFlaw(kind, "cobr", checkRetry(bank, cycle, on))
  if (refusal !== undefined) return refusal
  bank.recurring.cycles.retry(cycle, on as LocalDate)
  const answer = show(bank, account, cycle, 201)
  bank.recurring.catchUp()
  return answer
}

/** `GET /cobr`. */
export const listCycles = (bank: Bank, { cnpj: issuer, ...rest }: BankAccount, query: URLSearchParams): BankAnswer => {
  const listKind = "CobRConsultaInvalida"
  const period = readPeriod(bank, query, listKind, "cobr")
  if ("status" in period) return period
  const [idRec, status, cpf, cnpj] = ["idRec", "status", "cpf", "cnpj"].map((name) => query.get(name))
  if (cpf && cnpj) return problem(400, listKind, "cpf and cnpj are both given", "cpf")
  const found = [...bank.recurring.ledger.cycles.values()].filter(
    (cycle) =>
      cycle.issuer === (issuer as Cnpj) &&
      isWithin(period, cycle.createdAt) &&
      (idRec ?? cycle.rec.idRec) === cycle.rec.idRec &&
      (status ?? cycle.status) === cycle.status &&
      (cpf ?? cnpj ?? readTaxId(cycle.rec)) === readTaxId(cycle.rec),
  )
  const account = { ...rest, cnpj: issuer }
  return writePage({ ways: bank.ways, query, period, found, kind: listKind }, "cobsr", (cycle) =>
    cycleBody(cycle, account, bank.ledger),
  )
}
