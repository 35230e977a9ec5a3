import type { Bank } from "../bank/Bank.ts"
import type { LedgerRec, LedgerRequest } from "../ledger/RecurringLedger.ts"
import { requestBody } from "../recurring/bodies.ts"
import { type BankAnswer, problem } from "../wire/BankRequest.ts"
import { type Check, hasTaxId, isAbsentOr, isText, refuseFlaw } from "../wire/checks.ts"
import { fields } from "../wire/json.ts"
import type { BankCall, Routes } from "./BankCall.ts"
import { findRec } from "./recRoutes.ts"

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

const postRequest = ({ bank, account, readBody }: BankCall): BankAnswer => {
  const body = readBody()
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
  { bank, account, id }: BankCall,
  answer: (request: LedgerRequest, show: () => object) => BankAnswer,
): BankAnswer => {
  const request = bank.recurring.ledger.requests.get(id)
  const rec = findRec(bank, account, request?.idRec)
  return request === undefined || rec === undefined
    ? problem(404, "SolicRecNaoEncontrada", "no request with this idSolicRec")
    : answer(request, () => requestBody(request, rec, account))
}

const getRequest = (call: BankCall): BankAnswer => withRequest(call, (_, show) => ({ status: 200, body: show() }))

/** Withdraws a request. API Pix answers this with 201. */
const patchRequest = (call: BankCall): BankAnswer => {
  const body = call.readBody()
  return withRequest(call, (request, show) => {
    const isWithdrawn = fields(body)["status"] === "CANCELADA" && call.bank.recurring.recurrences.withdraw(request)
    return isWithdrawn
      ? { status: 201, body: show() }
      : problem(400, kind, "the request can't be cancelled", "solicrec.status")
  })
}

export const requestRoutes: Routes = {
  "POST solicrec": postRequest,
  "GET solicrec {id}": getRequest,
  "PATCH solicrec {id}": patchRequest,
}
