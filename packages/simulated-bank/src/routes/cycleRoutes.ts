import type { LocalDate } from "@pixcharge/core/calendar"
import type { Bank } from "../bank/Bank.ts"
import { chargeKey } from "../ledger/Ledger.ts"
import type { CycleBody, LedgerCycle, LedgerRec } from "../ledger/RecurringLedger.ts"
import { dayAt } from "../ledger/apiValues.ts"
import { liveAttempt } from "../recurring/Cycles.ts"
import { readTaxId } from "../recurring/Payers.ts"
import { cycleBody } from "../recurring/bodies.ts"
import type { BankAccount } from "../wire/BankOptions.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import { type Check, isAbsentOr, isAmount, isDay, isText, refuseFlaw } from "../wire/checks.ts"
import { fields } from "../wire/json.ts"
import type { BankCall, Routes } from "./BankCall.ts"
import { answerList, isWithin } from "./listPages.ts"
import { findRec } from "./recRoutes.ts"

const kind = "CobROperacaoInvalida"
const missing = problem(404, "CobRNaoEncontrado", "no charge with this txid")

const findCycle = ({ bank, account }: BankCall, txid: string): LedgerCycle | undefined =>
  bank.recurring.ledger.cycles.get(chargeKey(account.cnpj, txid))

const show = ({ bank, account }: BankCall, cycle: LedgerCycle, status: number): BankAnswer => ({
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

const checkCycle = ({ bank, account }: BankCall, rec: LedgerRec | undefined, body: unknown) => {
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

const isTaken = (call: BankCall, txid: string): boolean =>
  call.bank.ledger.charges.has(chargeKey(call.account.cnpj, txid)) || findCycle(call, txid) !== undefined

const makeCycle = (call: BankCall, body: unknown, txid: string): BankAnswer => {
  const { bank, account } = call
  if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) return problem(400, "RequisicaoInvalida", "the txid is malformed", "txid")
  const known = findCycle(call, txid)
  if (known !== undefined && isSame(known.body, body) && bank.ways.putOnCycle === "repeats") {
    return show(call, known, 201)
  }
  if (isTaken(call, txid)) return problem(400, kind, "the txid is taken", "cobr.txid")
  const rec = findRec(bank, account, fields(body)["idRec"])
  const refusal = checkCycle(call, rec, body)
  if (rec === undefined || refusal !== undefined) return refusal ?? missing
  const { recurring } = bank
  const cycle = recurring.cycles.create(rec, txid, body as CycleBody)
  // The answer shows the charge before the payer's bank receives the order.
  const answer = show(call, cycle, 201)
  recurring.cycles.add(cycle)
  recurring.catchUp()
  return answer
}

const putCycle = (call: BankCall): BankAnswer => makeCycle(call, call.readBody(), call.id)

/** The bank chooses the txid. */
const postCycle = (call: BankCall): BankAnswer => makeCycle(call, call.readBody(), call.bank.chance.text(32))

const getCycle = (call: BankCall): BankAnswer => {
  const cycle = findCycle(call, call.id)
  return cycle === undefined ? missing : show(call, cycle, 200)
}

/** A `PATCH` can only cancel. */
const patchCycle = (call: BankCall): BankAnswer => {
  const body = call.readBody()
  const cycle = findCycle(call, call.id)
  if (cycle === undefined) return missing
  const { cycles } = call.bank.recurring
  if (!isSame(body, { status: "CANCELADA" }) || !cycles.isCancellable(cycle)) {
    return problem(400, kind, "the charge can't be cancelled any more", "cobr.status")
  }
  cycles.cancel(cycle, { by: "USUARIO_RECEBEDOR", code: "SLCR" })
  return show(call, cycle, 200)
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

const postRetry = (call: BankCall): BankAnswer => {
  const { bank, id, partId: on } = call
  const cycle = findCycle(call, id)
  if (cycle === undefined) return missing
  const refusal = refuseFlaw(kind, "cobr", checkRetry(bank, cycle, on))
  if (refusal !== undefined) return refusal
  bank.recurring.cycles.retry(cycle, on as LocalDate)
  const answer = show(call, cycle, 201)
  bank.recurring.catchUp()
  return answer
}

const listCycles = (call: BankCall): BankAnswer => {
  const { bank, account, query } = call
  const [idRec, status, cpf, cnpj] = ["idRec", "status", "cpf", "cnpj"].map((name) => query.get(name))
  return answerList(call, {
    kind: "CobRConsultaInvalida",
    resource: "cobr",
    items: "cobsr",
    find: (period) =>
      [...bank.recurring.ledger.cycles.values()].filter(
        (cycle) =>
          cycle.issuer === account.cnpj &&
          isWithin(period, cycle.createdAt) &&
          (idRec ?? cycle.rec.idRec) === cycle.rec.idRec &&
          (status ?? cycle.status) === cycle.status &&
          (cpf ?? cnpj ?? readTaxId(cycle.rec)) === readTaxId(cycle.rec),
      ),
    write: (cycle) => cycleBody(cycle, account, bank.ledger),
  })
}

export const cycleRoutes: Routes = {
  "POST cobr": postCycle,
  "GET cobr": listCycles,
  "PUT cobr {id}": putCycle,
  "GET cobr {id}": getCycle,
  "PATCH cobr {id}": patchCycle,
  "POST cobr {id} retentativa": postRetry,
}
