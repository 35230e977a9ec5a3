import type { Reply } from "@pixcharge/core"
import { isPixError } from "@pixcharge/embed"
import { sentencePage } from "./failurePage.ts"

/** The page for an error of ours, with its message; undefined for any other. */
export const errorPage = (error: unknown, { root }: { readonly root: string }): Promise<Reply> | undefined => {
  if (!isPixError(error)) return undefined
  const isMissing = error._tag === "ChargeNotFound" || error._tag === "InvalidChargeId"
  return sentencePage(root, isMissing ? 404 : 503, error.message)
}
