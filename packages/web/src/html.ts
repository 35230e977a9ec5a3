import { legibleText } from "@pixcharge/core/internal"
import { html as honoHtml, raw as honoRaw } from "hono/html"

/** HTML with every text escaped, or a promise of it. */
export type Html = ReturnType<typeof honoHtml>

/** The content of a template. Texts are escaped; `undefined`, `null` and `false` render as empty. */
export type HtmlChild = string | number | false | null | undefined | Html | ReadonlyArray<HtmlChild>

/** Replaces invisible and direction characters, which can disguise a stranger's text. */
const legible = (child: HtmlChild): HtmlChild => {
  if (typeof child === "string") return legibleText(child)
  return Array.isArray(child) ? child.map(legible) : child
}

const compact = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/** Removes a template's indentation, which would be a fifth of a page's bytes. */
const removeIndentation = (strings: TemplateStringsArray): TemplateStringsArray => {
  const known = compact.get(strings)
  // Stryker disable next-line ConditionalExpression: a second result equals the first
  if (known !== undefined) return known
  const made = Object.assign(
    strings.map((text) => text.replaceAll(/\n\s+/g, "\n")),
    { raw: strings.raw },
  )
  compact.set(strings, made)
  return made
}

/**
 * A template that escapes its values, also for quoted attributes.
 *
 * It joins lists, awaits promises and removes the template's indentation.
 *
 * @example
 * html`<ul>${names.map((name) => html`<li title="${name}">${name}</li>`)}</ul>`
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlChild>): Html => {
  const made: Html = honoHtml(removeIndentation(strings), ...values.map(legible))
  // A part can reject before the page awaits it, and Node ends the process for an unhandled rejection.
  if (made instanceof Promise) made.catch(() => undefined)
  return made
}

/** Trusted markup, such as our own SVG. Never pass a value from outside. */
export const raw = (markup: string): Html => honoRaw(markup)

/** Content that phones fold behind a toggle, without a script; wider screens always show it. */
export const fold = (label: string, content: Html, { isOpen = false } = {}): Html =>
  html`<div class="fold">
    <label class="fold-switch button button-small"
      ><input type="checkbox" class="visually-hidden" ${isOpen && html`checked`} />${label}</label
    >
    ${content}
  </div>`
