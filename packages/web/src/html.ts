import { html as honoHtml, raw as honoRaw } from "hono/html"

/** HTML in which every text was escaped, or the promise of it. */
export type Html = ReturnType<typeof honoHtml>

/** What a template may hold: texts are escaped, nothing is written for `undefined`, `null` and `false`. */
export type HtmlChild = string | number | false | null | undefined | Html | ReadonlyArray<HtmlChild>

/**
 * A template whose values are escaped, in attributes too, as long as these stand in quotes; lists are joined, promises awaited.
 *
 * @example
 * html`<ul>${names.map((name) => html`<li title="${name}">${name}</li>`)}</ul>`
 */
export const html: (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlChild>) => Html = honoHtml

/** Markup that is trusted as it stands, such as an SVG of ours: never with a value from outside. */
export const raw = (markup: string): Html => honoRaw(markup)
