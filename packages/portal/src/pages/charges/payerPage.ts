import { isPixError } from "@pixcharge/embed"
import type { View } from "../../frame/View.ts"

/** The address of the payer's page of a charge, or of a recurrence; undefined if the host has no checkout. */
export const payerPage = async (
  { pix, company }: View,
  { id }: { readonly id: string },
  link: "link" | "recurrenceLink" = "link",
): Promise<string | undefined> => {
  try {
    return await pix.checkout[link](company, id)
  } catch (error) {
    if (isPixError(error, "InvalidOption")) return undefined
    throw error
  }
}
