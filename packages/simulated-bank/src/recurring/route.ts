import type { Bank } from "../Bank.ts"
import type { BankAccount } from "../BankOptions.ts"
import type { BankRequest } from "../BankRequest.ts"
import { nameCall, segments } from "../nameCall.ts"
import type { BankAnswer } from "../problems.ts"
import { readJson } from "../readJson.ts"
import { getCycle, listCycles, patchCycle, postCycle, postRetry, putCycle } from "./cycleRoutes.ts"
import { getLocation, listLocations, postLocation, unlinkLocation } from "./locationRoutes.ts"
import { getRec, listRecs, patchRec, postRec } from "./recRoutes.ts"
import { getRequest, patchRequest, postRequest } from "./requestRoutes.ts"
import { deleteRecurringWebhook, getRecurringWebhook, putRecurringWebhook } from "./webhookRoutes.ts"

/** Routes a call of Pix Automático; undefined if it is none. */
export const routeRecurring = (
  bank: Bank,
  account: BankAccount,
  request: BankRequest,
): BankAnswer | Promise<BankAnswer> | undefined => {
  const { method, path, query, text } = request
  const [resource, id, , last = ""] = segments(path)
  const body = (): unknown => readJson(text)
  const kind = resource === "webhookrec" ? "rec" : "cobr"
  switch (nameCall(method, path)) {
    case "POST locrec":
      return postLocation(bank, account)
    case "GET locrec":
      return listLocations(bank, account, query)
    case "GET locrec {id}":
      return getLocation(bank, account, id ?? "")
    case "DELETE locrec {id} idRec":
      return unlinkLocation(bank, account, id ?? "")
    case "POST rec":
      return postRec(bank, account, body())
    case "GET rec":
      return listRecs(bank, account, query)
    case "GET rec {id}":
      return getRec(bank, account, id ?? "", query)
    case "PATCH rec {id}":
      return patchRec(bank, account, id ?? "", body())
    case "POST solicrec":
      return postRequest(bank, account, body())
    case "GET solicrec {id}":
      return getRequest(bank, account, id ?? "")
    case "PATCH solicrec {id}":
      return patchRequest(bank, account, id ?? "", body())
    case "POST cobr":
      return postCycle(bank, account, body())
    case "GET cobr":
      return listCycles(bank, account, query)
    case "PUT cobr {id}":
      return putCycle(bank, account, id ?? "", body())
    case "GET cobr {id}":
      return getCycle(bank, account, id ?? "")
    case "PATCH cobr {id}":
      return patchCycle(bank, account, id ?? "", body())
    case "POST cobr {id} retentativa":
      return postRetry(bank, account, id ?? "", last)
    case "PUT webhookrec":
    case "PUT webhookcobr":
      return putRecurringWebhook(bank, account, kind, request, body())
    case "GET webhookrec":
    case "GET webhookcobr":
      return getRecurringWebhook(bank, account, kind)
    case "DELETE webhookrec":
    case "DELETE webhookcobr":
      return deleteRecurringWebhook(bank, account, kind)
    default:
      return undefined
  }
}
