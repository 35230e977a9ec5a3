import { type Html, type HtmlChild, html } from "@pixcharge/web"

/** What is known of something, name by name; what is undefined or false is left out. */
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
