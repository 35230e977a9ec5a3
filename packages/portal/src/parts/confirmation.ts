import { type Html, html } from "@pixcharge/web"
import type { View } from "../frame/View.ts"
import { confirmationTexts } from "./partTexts.ts"

interface Confirmation {
  /** The facts of what will be done. */
  readonly body: Html
  /** The action's path below the company. */
  readonly path: string
  /** The action's hidden fields. */
  readonly values?: Readonly<Record<string, string>>
  /** The action's key, if the page has the same one each time it is opened. */
  readonly key?: string
  /** The text of the button: what it does. */
  readonly submit: string
  readonly isDangerous?: boolean
  /** The path, below the company, of the page to return to. */
  readonly back: string
}

/** Asks for a confirmation before something that can't be undone. */
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
