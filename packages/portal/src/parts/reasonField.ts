import { maxRefundReasonLength, parseRefundReason } from "@pixcharge/core/charges"
import { type Form, html, type Html } from "@pixcharge/web"
import * as Result from "effect/Result"
import { field, type FieldProblem } from "./field.ts"
import { reasonTexts } from "./partTexts.ts"
import { straightenPunctuation } from "./straightenPunctuation.ts"

const name = "motivo"

/** A reason that was typed before, and what is wrong with it. */
export interface ReasonToCorrect {
  readonly form: Form
  readonly problem: FieldProblem
}

/** The field of a form that returns money: why. It is posted, and never in a URL. */
export const reasonField = (wrong?: ReasonToCorrect): Html =>
  field({ name, label: reasonTexts.label, hint: reasonTexts.hint, problem: wrong?.problem }, (attributes) => {
    const value = wrong && html`value="${wrong.form[name]}"`
    return html`<input type="text" maxlength="${maxRefundReasonLength}" autocomplete="off" ${attributes} ${value} />`
  })

/** The reason in a posted form, as a refund takes it, or why none does. */
export const readReason = (form: Form): { readonly reason?: string } | ReasonToCorrect => {
  const text = straightenPunctuation(form[name] ?? "").trim()
  if (text === "") return {}
  const reason = parseRefundReason(text)
  return Result.isSuccess(reason)
    ? { reason: reason.success }
    : { form, problem: { field: name, text: reasonTexts.problem } }
}
