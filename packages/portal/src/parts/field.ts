import { type Html, html } from "@pixcharge/web"

/** A problem with a field, shown beside it. */
export interface FieldProblem {
  readonly field: string
  readonly text: string
}

interface Field {
  /** Unique on its page, because it is also the control's id. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: FieldProblem | undefined
}

/** The attributes of a field's control: its name, its description, and whether it is invalid. */
const controlAttributes = ({ name, hint, problem }: Field): Html => {
  const isWrong = problem?.field === name
  const described = [hint !== undefined && `${name}-hint`, isWrong && `${name}-problem`].filter(Boolean).join(" ")
  return html`id="${name}" name="${name}" ${described !== "" && html`aria-describedby="${described}"`}
  ${isWrong && html`aria-invalid="true"`}`
}

/** A control with its label, hint and problem. `control` gets the attributes that bind them. */
export const field = (options: Field, control: (attributes: Html) => Html): Html => {
  const { name, label, hint, problem } = options
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${control(controlAttributes(options))} ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem?.field === name && html`<p class="field-error" id="${name}-problem">${problem.text}</p>`}
  </div>`
}
