import type { Reply } from "@pixcharge/core"
import { isPixError, type PixError } from "@pixcharge/embed"
import { type FailedRequest, type FailureStatus, html, pageReply } from "@pixcharge/web"
import { consoleCss } from "../assets.ts"

export const sentencePage = (root: string, status: number, text: string): Promise<Reply> =>
  pageReply({
    title: "pixcharge console",
    lang: "en",
    root,
    status,
    styles: [consoleCss],
    body: html`<main class="page page-narrow">
      <h1>${String(status)}</h1>
      <p>${text}</p>
      <p><a href="${root}">To the console</a></p>
    </main>`,
  })

const sentences: Readonly<Record<FailureStatus, string>> = {
  400: "This form isn't from the console.",
  404: "There is no such page, or the console has forgotten it.",
  405: "This page doesn't allow the request's method.",
  413: "This form is too long.",
  415: "The request doesn't contain a form.",
  500: "The console failed. The log of the process says why.",
}

export const failurePage = ({ status }: { readonly status: FailureStatus }, { root }: FailedRequest): Promise<Reply> =>
  sentencePage(root, status, sentences[status])

const missing = new Set<PixError["_tag"]>([
  "ChargeNotFound",
  "InvalidChargeId",
  "RecurrenceNotFound",
  "InvalidRecurrenceId",
])

/** The page for an error of pixcharge; undefined for any other error. */
export const errorPage = (error: unknown, { root }: { readonly root: string }): Promise<Reply> | undefined => {
  if (!isPixError(error)) return undefined
  return sentencePage(root, missing.has(error._tag) ? 404 : 503, error.message)
}
