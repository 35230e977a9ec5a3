import { legibleText } from "@pixcharge/core/internal"
import { html as honoHtml, raw as honoRaw } from "hono/html"

/** HTML with every text escaped, or a promise of it. */
export type Html = ReturnType<typeof honoHtml>

/** The content of a template. Texts are escaped; `undefined`, `null` and `false` render as empty. */
export type HtmlChild = string | number | false | null | undefined | Html | ReadonlyArray<HtmlChild>

/** Removes invisible and direction characters, which can disguise a stranger's text. */
const legible = (child: HtmlChild): HtmlChild => {
  if (typeof child === "string") return legibleText(child)
  return Array.isArray(child) ? child.map(legible) : child
}

const compact = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/** Removes the indentation of templates, a fifth of a page's bytes. */
const removeIndentation = (strings: TemplateStringsArray): TemplateStringsArray => {
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
 * A template whose values are escaped, also in quoted attributes.
 *
 * It joins lists and awaits promises. The template's own lines lose their indentation; values keep theirs.
 *
 * @example
 * html`<ul>${names.map((name) => html`<li title="${name}">${name}</li>`)}</ul>`
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlChild>): Html => {
  const made: Html = honoHtml(removeIndentation(strings), ...values.map(legible))
  // A part can reject before the page awaits it, or after another answer was sent. Node would end the process for an unhandled
  // rejection. Code that awaits the part still gets it.
  if (made instanceof Promise) made.catch(() => undefined)
  return made
}

/** Trusted markup, such as an SVG of ours. Never pass a value from outside. */
export const raw = (markup: string): Html => honoRaw(markup)

/** Content that phones fold behind a switch and wider screens always show. It works without script. */
export const fold = (label: string, content: Html, { isOpen = false } = {}): Html =>
  html`<div class="fold">
    <label class="fold-switch button button-small"
      ><input type="checkbox" class="visually-hidden" ${isOpen && html`checked`} />${label}</label
    >
    ${content}
  </div>`
