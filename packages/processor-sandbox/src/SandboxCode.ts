import { hash } from "node:crypto"
import { encodeBrCode, fitMerchant } from "@pixcharge/core/brcode"
import type { ChargeId } from "@pixcharge/core/charges"
import type { Company } from "@pixcharge/core/party"
import type { ChargeOrder } from "@pixcharge/core"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Result from "effect/Result"

/** No host name under `.invalid` ever resolves (RFC 6761 §6.4). */
const host = "pix.sandbox.invalid"

type Merchant = ReturnType<typeof fitMerchant>

// A directory returns the same company object for many charges, so its merchant is computed only once.
const merchants = new WeakMap<Company, Merchant>()

const fitMerchantOnce = (company: Company): Merchant => {
  const known = merchants.get(company)
  if (known !== undefined) return known
  const merchant = fitMerchant(company)
  merchants.set(company, merchant)
  return merchant
}

/** The token depends only on CNPJ and name, so a charge keeps its code after a restart. */
const makeCodeToken = (cnpj: string, name: string): string => hash("sha256", `${cnpj}/${name}`).slice(0, 32)

const makeChargeUrl = (cnpj: string, id: ChargeId, isDue: boolean): string =>
  `${host}/${isDue ? "cobv/" : ""}${makeCodeToken(cnpj, id.replaceAll("-", ""))}`

/**
 * Makes a dynamic code that points to a host under `.invalid`. With a static code, whose key would be an invented CNPJ,
 * a payer could pay a stranger (decision 30).
 *
 * Cuts name and city to the lengths of fields 59 and 60.
 */
export const sandboxBrCode = (order: ChargeOrder): string => {
  const { company, id, dueDate } = order
  return Result.getOrThrow(
    encodeBrCode({
      _tag: "Dynamic",
      url: makeChargeUrl(company.cnpj, id, dueDate !== undefined),
      pointOfInitiation: "singleUse",
      ...fitMerchantOnce(company),
    }),
  )
}

/** Makes the code that authorises a recurrence, and pays its journey's charge if it has one. */
export const sandboxRecurrenceCode = (company: Company, { contract, journey }: Recurrence): string | undefined => {
  if (journey.by === "bank") return undefined
  const recurrenceUrl = `${host}/rec/${makeCodeToken(company.cnpj, contract)}`
  const merchant = fitMerchantOnce(company)
  if (journey.by === "code") return Result.getOrThrow(encodeBrCode({ _tag: "Recurrence", recurrenceUrl, ...merchant }))
  const url = makeChargeUrl(company.cnpj, journey.chargeId, journey.dueDate !== undefined)
  return Result.getOrThrow(
    encodeBrCode({ _tag: "Dynamic", url, recurrenceUrl, pointOfInitiation: "singleUse", ...merchant }),
  )
}
