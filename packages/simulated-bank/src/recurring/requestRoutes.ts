import type { Bank } from "../Bank.ts"
import type { BankAccount } from "../BankOptions.ts"
import { problem, type BankAnswer } from "../problems.ts"
import { fields } from "../ways/fields.ts"
import { requestBody } from "./bodies.ts"
import { type Check, hasTaxId, isAbsentOr, isText, refuseFlaw } from "./checks.ts"
import { findRec } from "./recRoutes.ts"
import type { LedgerRec, LedgerRequest } from "./RecurringLedger.ts"

const kind = "SolicRecOperacaoInvalida"
const maxOpenMs = 30 * 86_400_000

const checkRequest = (bank: Bank, rec: LedgerRec | undefined, body: unknown): ReadonlyArray<Check> => {
  const { calendario, destinatario } = fields(body)
  const { conta, ispbParticipante, agencia } = fields(destinatario)
  const openMs = Date.parse(String(fields(calendario)["dataExpiracaoSolicitacao"])) - bank.chance.now()
  const isOpen = rec !== undefined && bank.recurring.recurrences.findOpenRequest(rec) !== undefined
  return [
    ["idRec", rec?.status === "CRIADA" && !isOpen],
    ["calendario.dataExpiracaoSolicitacao", openMs > 0 && openMs <= maxOpenMs],
    [
      "destinatario",
      isText(conta, 20) &&
        /^[0-9A-Z]{8}$/.test(String(ispbParticipante)) &&
        isAbsentOr(agencia, isText(agencia, 4)) &&
        hasTaxId(fields(destinatario)),
    ],
  ]
}

/** `POST /solicrec`. */
export const postRequest = (bank: Bank, account: BankAccount, body: unknown): BankAnswer => {
  const { idRec, calendario } = fields(body)
  const rec = findRec(bank, account, idRec)
  const refusal = refuseFlaw(kind, "solicrec", checkRequest(bank, rec, body))
  if (rec === undefined || refusal !== undefined) return refusal ?? problem(400, kind, "no such recurrence", "idRec")
  const { recurrences } = bank.recurring
  const openUntil = Date.parse(String(fields(calendario)["dataExpiracaoSolicitacao"]))
  const request = recurrences.request(rec, fields(body), openUntil)
  const answer = { status: 201, body: requestBody(request, rec, account) }
  recurrences.deliver(request)
  return answer
}

const withRequest = (
  bank: Bank,
  account: BankAccount,
  id: string,
  answer: (request: LedgerRequest, show: () => object) => BankAnswer,
): BankAnswer => {
  const request = bank.recurring.ledger.requests.get(id)
  const rec = findRec(bank, account, request?.idRec)
  return request === undefined || rec === undefined
    ? problem(404, "SolicRecNaoEncontrada", "no request with this idSolicRec")
    : answer(request, () => requestBody(request, rec, account))
}

/** `GET /solicrec/{idSolicRec}`. */
export const getRequest = (bank: Bank, account: BankAccount, id: string): BankAnswer =>
  withRequest(bank, account, id, (_, show) => ({ status: 200, body: show() }))

/** `PATCH /solicrec/{idSolicRec}`, which is answered with 201. */
export const patchRequest = (bank: Bank, account: BankAccount, id: string, body: unknown): BankAnswer =>
  withRequest(bank, account, id, (request, show) => {
    const isWithdrawn = fields(body)["status"] === "CANCELADA" && bank.recurring.recurrences.withdraw(request)
    return isWithdrawn
      ? { status: 201, body: show() }
      : problem(400, kind, "the request can't be cancelled", "solicrec.status")
  })
