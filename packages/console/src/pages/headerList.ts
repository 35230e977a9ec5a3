import { type Html, html } from "@pixcharge/web"
import type { ShownHeader } from "../calls/RecordedCall.ts"

/** Headers, one a line. */
export const headerList = (headers: ReadonlyArray<ShownHeader>, label: string): Html =>
  html`<pre class="code" tabindex="0" role="region" aria-label="${label}">
${headers.map(([name, value]) => `${name}: ${value}`).join("\n")}</pre>`

/** JSON with a line for each field, or the text as it is. */
export const readable = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
