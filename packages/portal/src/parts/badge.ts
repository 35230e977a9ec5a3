import { type Html, html } from "@pixcharge/web"

export type Tone = "good" | "warn" | "bad" | "info"

/** A status in a word. */
export const badge = (text: string, tone?: Tone): Html =>
  html`<span class="badge" ${tone !== undefined && html`data-tone="${tone}"`}>${text}</span>`
