import { hash } from "node:crypto"
import { encodeBrCode, fitMerchant } from "@pixcharge/core/brcode"
import type { Company } from "@pixcharge/core/party"
import type { ChargeOrder } from "@pixcharge/core"
import * as Result from "effect/Result"

/** No address ever resolves under `.invalid` (RFC 6761 §6.4), so that no bank can mistake the code for a real one. */
const host = "pix.sandbox.invalid"

type Merchant = ReturnType<typeof fitMerchant>

// A directory hands out the same company object for many charges.
const merchants = new WeakMap<Company, Merchant>()

const fitMerchantOnce = (company: Company): Merchant => {
  const known = merchants.get(company)
  if (known !== undefined) return known
  const merchant = fitMerchant(company)
  merchants.set(company, merchant)
  return merchant
}

/** Follows from company and txid alone, so that the same charge has the same code after any restart. */
const makeCodeToken = ({ company, txid }: ChargeOrder): string => hash("sha256", `${company.cnpj}/${txid}`).slice(0, 32)

/**
 * The sandbox's code is dynamic and points to a host under `.invalid`: a static one with a demonstration CNPJ as its key
 * could pay a stranger (decision 30).
 *
 * Name and city are cut to what fields 59 and 60 hold, which payers' apps don't rely on.
 */
export const sandboxBrCode = (order: ChargeOrder): string => {
  const kind = order.dueDate === undefined ? "" : "cobv/"
  return Result.getOrThrow(
    encodeBrCode({
      _tag: "Dynamic",
      url: `${host}/${kind}${makeCodeToken(order)}`,
      pointOfInitiation: "singleUse",
      ...fitMerchantOnce(order.company),
    }),
  )
}
