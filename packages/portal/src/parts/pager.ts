import { type Html, html } from "@pixcharge/web"
import { pagerTexts } from "./partTexts.ts"

/** The name of a cursor's field in URLs and forms. */
export const cursorField = "cursor"

interface Pages {
  /** The cursor of this page; undefined on the first one. */
  readonly at: string | undefined
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
  /** Makes the link to the page of a cursor, or to the first one. */
  readonly step: (cursor: string | undefined, text: string) => Html
}

/** A step of a list whose filter may stand in a URL. */
export const linkStep =
  (path: string, query: Readonly<Record<string, string>>): Pages["step"] =>
  (cursor, text) => {
    const search = new URLSearchParams({ ...query, ...(cursor !== undefined && { [cursorField]: cursor }) })
    return html`<a class="button button-quiet" href="${path}?${search.toString()}">${text}</a>`
  }

/** Links to the next page and to the first; empty if there is only one page. */
export const pager = ({ at, next, step }: Pages): Html =>
  at === undefined && next === undefined
    ? html``
    : html`<nav class="pager" aria-label="${pagerTexts.label}">
        ${at !== undefined && step(undefined, pagerTexts.first)}${next !== undefined && step(next, pagerTexts.next)}
      </nav>`
