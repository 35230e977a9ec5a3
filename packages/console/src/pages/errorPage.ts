import type { Reply } from "@pixcharge/core"
import { isPixError, type PixError } from "@pixcharge/embed"
import { sentencePage } from "./failurePage.ts"

/** What says that there is no such thing. */
const missing = new Set<PixError["_tag"]>([
  "ChargeNotFound",
  "InvalidChargeId",
  "RecurrenceNotFound",
  "InvalidRecurrenceId",
])

/** The page for an error of ours, with its message; undefined for any other. */
export const errorPage = (error: unknown, { root }: { readonly root: string }): Promise<Reply> | undefined => {
  if (!isPixError(error)) return undefined
  return sentencePage(root, missing.has(error._tag) ? 404 : 503, error.message)
}
