import { type Html, html, type HtmlChild } from "@pixcharge/web"
import type { View } from "../frame/View.ts"

/** A list of names and values. Omits undefined and false values. */
export const facts = (rows: ReadonlyArray<readonly [name: string, value: HtmlChild]>): Html =>
  html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        value !== undefined &&
        value !== false &&
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`

export type Tone = "good" | "warn" | "bad" | "info"

export const badge = (text: string, tone?: Tone): Html =>
  html`<span class="badge" ${tone !== undefined && html`data-tone="${tone}"`}>${text}</span>`

export interface CopyTexts {
  readonly copy: string
  readonly done: string
  readonly failed: string
}

/** A button that copies the text of the element with this id. It is hidden without a script. */
export const copyButton = (id: string, { copy, done, failed }: CopyTexts, { isPrimary = false } = {}): Html =>
  html`<button
      class="button ${isPrimary && "button-primary"}"
      type="button"
      hidden
      data-copy="${id}"
      data-status="${id}-status"
      data-done="${done}"
      data-failed="${failed}"
    >
      ${copy}
    </button>
    <span role="status" id="${id}-status"></span>`

const confirmationTexts = {
  back: "Voltar sem alterar",
}

interface Confirmation {
  readonly body: Html
  readonly path: string
  readonly values?: Readonly<Record<string, string>>
  /** The action's key; default: a new key. */
  readonly key?: string
  readonly submit: string
  readonly isDangerous?: boolean
  readonly back: string
}

export const confirmation = (
  view: View,
  { body, path, values = {}, key, submit, isDangerous, back }: Confirmation,
): Html =>
  html`<form class="card stack" method="post" action="${view.link(path)}">
    ${body} ${view.formFields(key)}
    ${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <div class="row">
      <button class="button ${isDangerous === true ? "button-danger" : "button-primary"}">${submit}</button>
      <a class="button button-quiet" href="${view.link(back)}">${confirmationTexts.back}</a>
    </div>
  </form>`
