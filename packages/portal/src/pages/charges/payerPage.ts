import { isPixError, type PlainCharge } from "@pixcharge/embed"
import type { View } from "../../frame/View.ts"

/** The address of the payer's page; undefined if the host has no checkout. */
export const payerPage = async ({ pix, company }: View, { id }: PlainCharge): Promise<string | undefined> => {
  try {
    return await pix.checkout.link(company, id)
  } catch (error) {
    if (isPixError(error, "InvalidOption")) return undefined
    throw error
  }
}
