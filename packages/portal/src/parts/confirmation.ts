import { type Html, html } from "@pixcharge/web"
import type { View } from "../frame/View.ts"
import { confirmationTexts } from "./partTexts.ts"

interface Confirmation {
  /** What is about to be done. */
  readonly body: Html
  /** The action's path below the company. */
  readonly path: string
  /** The hidden fields that it gets. */
  readonly values?: Readonly<Record<string, string>>
  /** The action's key, where the page has the same one each time that it is opened. */
  readonly key?: string
  /** What its button says: the very thing that it does. */
  readonly submit: string
  readonly isDangerous?: boolean
  /** The path, below the company, of the page to go back to. */
  readonly back: string
}

/** Asks before something is done that can't be taken back. */
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
