import type { PlainCharge } from "@pixcharge/embed"
import { isPixError } from "@pixcharge/embed"
import type { ConsoleContext } from "../ConsoleContext.ts"

/** The payer's page of a charge, as a link; undefined where the sandbox has no checkout. */
export const checkoutLink = async ({ pix, company }: ConsoleContext, root: string, { id }: PlainCharge) => {
  try {
    const link = await pix.checkout.link(company.cnpj, id)
    // The page lies beside the console, also if the host has another address for payers.
    return `${root}${link.slice(link.lastIndexOf("/pagar/") + 1)}`
  } catch (error) {
    if (isPixError(error)) return undefined
    throw error
  }
}
