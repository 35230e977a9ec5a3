import { type Html, type HtmlChild, html } from "@pixcharge/web"

/** A list of names and values. Undefined and false values are left out. */
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
