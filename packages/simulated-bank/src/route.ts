import type { Bank } from "./Bank.ts"
import type { BankAccount } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"
import { getCharge, getCode, listCharges, patchCharge, postCharge, putCharge } from "./chargeRoutes.ts"
import type { ChargeKind } from "./Ledger.ts"
import {
  clearChargeLocation,
  getChargeLocation,
  getQrCode,
  listChargeLocations,
  postChargeLocation,
} from "./locationRoutes.ts"
import { nameCall, segments } from "./nameCall.ts"
import { getPayment, getReturn, listPayments, putReturn } from "./paymentRoutes.ts"
import { problem, type BankAnswer } from "./problems.ts"
import { readJson } from "./readJson.ts"
import { routeRecurring } from "./recurring/route.ts"
import { deleteWebhook, getWebhook, listWebhooks, putWebhook } from "./webhookRoutes.ts"

/** Routes a call of the charges; undefined if it is none. */
const routeCharge = (
  bank: Bank,
  account: BankAccount,
  { method, path, query, text }: BankRequest,
): BankAnswer | Promise<BankAnswer> | undefined => {
  const [resource = "", id = ""] = segments(path)
  const kind = resource as ChargeKind
  switch (nameCall(method, path)) {
    case "POST cob":
      return postCharge(bank, account, readJson(text))
    case "GET cob":
    case "GET cobv":
      return listCharges(bank, account, kind, query)
    case "PUT cob {id}":
    case "PUT cobv {id}":
      return putCharge(bank, account, kind, id, readJson(text))
    case "GET cob {id}":
    case "GET cobv {id}":
      return getCharge(bank, account, kind, id)
    case "GET cob {id} qrcode":
    case "GET cobv {id} qrcode":
      return getCode(bank, account, kind, id)
    case "PATCH cob {id}":
    case "PATCH cobv {id}":
      return patchCharge(bank, account, kind, id, readJson(text))
    case "POST loc":
      return postChargeLocation(bank, account, readJson(text))
    case "GET loc":
      return listChargeLocations(bank, account, query)
    case "GET loc {id}":
      return getChargeLocation(bank, account, id)
    case "GET loc {id} qrcode":
      return getQrCode(bank, account, id)
    case "DELETE loc {id} txid":
      return clearChargeLocation(bank, account, id)
    default:
      return undefined
  }
}

/** Routes a call of payments, their returns and their webhooks; undefined if it is none. */
const routePayment = (
  bank: Bank,
  account: BankAccount,
  request: BankRequest,
): BankAnswer | Promise<BankAnswer> | undefined => {
  const { method, path, query, text } = request
  const [, id = "", , returnId = ""] = segments(path)
  switch (nameCall(method, path)) {
    case "GET pix":
      return listPayments(bank, account, query)
    case "GET pix {id}":
      return getPayment(bank, account, id)
    case "PUT pix {id} devolucao":
      return putReturn(bank, account, id, returnId, readJson(text))
    case "GET pix {id} devolucao":
      return getReturn(bank, account, id, returnId)
    case "GET webhook":
      return listWebhooks(bank, account, query)
    case "PUT webhook {id}":
      return putWebhook(bank, account, request, id, readJson(text))
    case "GET webhook {id}":
      return getWebhook(bank, account, id)
    case "DELETE webhook {id}":
      return deleteWebhook(bank, account, id)
    default:
      return undefined
  }
}

const isLacking = ({ kinds, lacks }: Bank["ways"], { method, path }: BankRequest): boolean => {
  const [resource] = segments(path)
  const isOtherKind = (resource === "cob" || resource === "cobv") && !kinds.includes(resource)
  return isOtherKind || lacks.includes(nameCall(method, path))
}

/** Answers a call of the API that its account may make. */
export const route = async (bank: Bank, account: BankAccount, request: BankRequest): Promise<BankAnswer> => {
  const answered = isLacking(bank.ways, request)
    ? undefined
    : (routeCharge(bank, account, request) ??
      routePayment(bank, account, request) ??
      routeRecurring(bank, account, request))
  return (await answered) ?? problem(404, "NaoEncontrado", `this bank has no ${request.method} ${request.path}`)
}
