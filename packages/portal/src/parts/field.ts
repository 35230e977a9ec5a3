import { maxRefundReasonLength, parseRefundReason } from "@pixcharge/core/charges"
import { type Form, type Html, html } from "@pixcharge/web"
import * as Result from "effect/Result"

export interface FieldProblem {
  readonly field: string
  readonly text: string
}

interface Field {
  /** The control's name and id, unique on the page. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: FieldProblem | undefined
}

const controlAttributes = ({ name, hint, problem }: Field): Html => {
  const isWrong = problem?.field === name
  const described = [hint !== undefined && `${name}-hint`, isWrong && `${name}-problem`].filter(Boolean).join(" ")
  return html`id="${name}" name="${name}" ${described !== "" && html`aria-describedby="${described}"`}
  ${isWrong && html`aria-invalid="true"`}`
}

/** A field with its label, hint and problem. `control` gets the attributes that bind these to the control. */
export const field = (options: Field, control: (attributes: Html) => Html): Html => {
  const { name, label, hint, problem } = options
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(controlAttributes(options))} ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem?.field === name && html`<p class="field-error" id="${name}-problem">${problem.text}</p>`}
  </div>`
}

/** A form as it was sent, with its first problem. */
export interface FormToCorrect {
  readonly form: Form
  readonly problem: FieldProblem | undefined
}

export const textField = (
  { form, problem }: FormToCorrect,
  name: string,
  label: string,
  { hint, more = html`` }: { readonly hint?: string; readonly more?: Html } = {},
): Html =>
  field(
    { name, label, hint, problem },
    (attributes) => html`<input ${attributes} value="${form[name]}" autocomplete="off" ${more} />`,
  )

const amountForm = /^(?:R\$ ?)?(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:,(\d{1,2}))?$/

/** Parses Brazilian amounts into cents: `12,50`, `1.234,5`, `R$ 7`. Undefined for any other form, like `12.50`. */
export const readReais = (text: string): number | undefined => {
  const [, whole, decimals = ""] = amountForm.exec(text.trim()) ?? []
  return whole === undefined ? undefined : Number(whole.replaceAll(".", "")) * 100 + Number(decimals.padEnd(2, "0"))
}

const meanings: ReadonlyArray<readonly [written: RegExp, plain: string]> = [
  [/[‘’‛′]/g, "'"],
  [/[“”„‟″]/g, '"'],
  [/[‐‑‒–—―−]/g, "-"],
  [/…/g, "..."],
  [/[\u2000-\u200a\u202f]/g, " "],
]

/** Replaces typographic quotation marks, hyphens and spaces, which banks don't show. */
export const straightenPunctuation = (text: string): string =>
  meanings.reduce((straight, [written, plain]) => straight.replaceAll(written, plain), text)

const reasonTexts = {
  label: "Motivo (opcional, o pagador pode vê-lo)",
  hint: "Até 140 caracteres. Não escreva nomes nem documentos: o motivo fica guardado com a devolução.",
  problem:
    "O motivo pode ter até 140 caracteres, sem emojis, símbolos especiais nem quebras de linha. Corrija-o ou deixe-o em branco.",
}

const name = "motivo"

export interface ReasonToCorrect {
  readonly form: Form
  readonly problem: FieldProblem
}

/** The field for a refund's reason. Use it in forms with POST, which keeps the reason out of URLs. */
export const reasonField = (wrong?: ReasonToCorrect): Html =>
  field({ name, label: reasonTexts.label, hint: reasonTexts.hint, problem: wrong?.problem }, (attributes) => {
    const value = wrong && html`value="${wrong.form[name]}"`
    return html`<input type="text" maxlength="${maxRefundReasonLength}" autocomplete="off" ${attributes} ${value} />`
  })

export const readReason = (form: Form): { readonly reason?: string } | ReasonToCorrect => {
  const text = straightenPunctuation(form[name] ?? "").trim()
  if (text === "") return {}
  const reason = parseRefundReason(text)
  return Result.isSuccess(reason)
    ? { reason: reason.success }
    : { form, problem: { field: name, text: reasonTexts.problem } }
}
