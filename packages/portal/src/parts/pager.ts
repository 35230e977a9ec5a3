import { type Html, html } from "@pixcharge/web"
import { pagerTexts } from "./partTexts.ts"

/** The name of a cursor's field in URLs. */
export const cursorField = "cursor"
/** The name of the field that has the cursors of the pages before, the nearest last. */
const beforeField = "antes"

/** The maximum of pages that lead back one by one: an address has room for no more. From there a link leads to the first. */
const maxBefore = 20

interface Pages {
  /** The query of this page. */
  readonly query: URLSearchParams
  /** The list's address without its query. */
  readonly path: string
  /** The filter, as fields of its address. */
  readonly fields: Readonly<Record<string, string>>
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined
}

/** Links to the previous page, the next and the first; empty if there is only one page. */
export const pager = ({ query, path, fields, next }: Pages): Html => {
  const at = query.get(cursorField) || undefined
  const before = query.getAll(beforeField)
  const link = (text: string, cursor = "", trail: ReadonlyArray<string> = []): Html => {
    const search = new URLSearchParams({ ...fields, ...(cursor !== "" && { [cursorField]: cursor }) })
    for (const each of trail) search.append(beforeField, each)
    return html`<a class="button button-quiet" href="${path}?${search.toString()}">${text}</a>`
  }
  if (at === undefined && next === undefined) return html``
  return html`<nav class="pager" aria-label="${pagerTexts.label}">
    ${at !== undefined && link(pagerTexts.first)}
    ${before.length > 0 && link(pagerTexts.previous, before.at(-1), before.slice(0, -1))}
    ${next !== undefined && link(pagerTexts.next, next, [...before, at ?? ""].slice(-maxBefore))}
  </nav>`
}
