import { maxRefundReasonLength } from "@pixcharge/core/charges"
import { type Form, html, type Html } from "@pixcharge/web"
import { field } from "./field.ts"
import { reasonTexts } from "./partTexts.ts"

const name = "motivo"

/** The field of a form that returns money: why. It is posted, and never in a URL. */
export const reasonField = (): Html =>
  field(
    { name, label: reasonTexts.label, hint: reasonTexts.hint },
    (attributes) => html`<input type="text" maxlength="${maxRefundReasonLength}" autocomplete="off" ${attributes} />`,
  )

/** The reason in a posted form, as a refund takes it. */
export const readReason = (form: Form): { readonly reason?: string } => {
  const reason = form[name]?.trim() ?? ""
  return reason === "" ? {} : { reason }
}
