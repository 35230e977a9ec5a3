import { isPixError } from "@pixcharge/embed"
import type { ConsoleContext } from "../ConsoleContext.ts"

/** The payer's page of a charge, or of a recurrence; undefined where the sandbox has no checkout. */
export const checkoutLink = async (
  { pix, company }: ConsoleContext,
  root: string,
  id: string,
  link: "link" | "recurrenceLink" = "link",
) => {
  try {
    const address = await pix.checkout[link](company.cnpj, id)
    // The page lies beside the console, also if the host has another address for payers.
    return `${root}${address.slice(address.lastIndexOf("/pagar/") + 1)}`
  } catch (error) {
    if (isPixError(error)) return undefined
    throw error
  }
}
