import { legibleText } from "@pixcharge/core/internal"
import { html as honoHtml, raw as honoRaw } from "hono/html"

/** HTML in which every text was escaped, or the promise of it. */
export type Html = ReturnType<typeof honoHtml>

/** What a template may hold: texts are escaped, nothing is written for `undefined`, `null` and `false`. */
export type HtmlChild = string | number | false | null | undefined | Html | ReadonlyArray<HtmlChild>

/** No text on a page turns its direction, or holds what nobody can see: whoever wrote it, it looks like what it is. */
const legible = (child: HtmlChild): HtmlChild => {
  if (typeof child === "string") return legibleText(child)
  return Array.isArray(child) ? child.map(legible) : child
}

const compact = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/** A template is indented for those who write it: in its pages that would be a fifth of what is sent. */
const withoutIndentation = (strings: TemplateStringsArray): TemplateStringsArray => {
  const known = compact.get(strings)
  // Stryker disable next-line ConditionalExpression: what is made again is the same
  if (known !== undefined) return known
  const made = Object.assign(
    strings.map((text) => text.replaceAll(/\n\s+/g, "\n")),
    { raw: strings.raw },
  )
  compact.set(strings, made)
  return made
}

/**
 * A template whose values are escaped, in attributes too, as long as these stand in quotes; lists are joined, promises awaited.
 * The white space at the start of its own lines is left out, and none of a value.
 *
 * @example
 * html`<ul>${names.map((name) => html`<li title="${name}">${name}</li>`)}</ul>`
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlChild>): Html => {
  const made: Html = honoHtml(withoutIndentation(strings), ...values.map(legible))
  // A part may fail before the page around it is put together, or where another answer is given instead of that page: whoever
  // waits for it is told, and nobody else is; Node would end the process for a rejection that nobody waits for.
  if (made instanceof Promise) made.catch(() => undefined)
  return made
}

/** Markup that is trusted as it stands, such as an SVG of ours: never with a value from outside. */
export const raw = (markup: string): Html => honoRaw(markup)
