/** Markup whose texts are escaped. */
export class Markup {
  // Declared alone: a field costs browsers' scripts a helper.
  declare readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What markup may hold. Texts are escaped; `undefined` and `false` stand for nothing. */
export type Child = string | Markup | false | undefined | ReadonlyArray<Child>

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const render = (child: Child): string => {
  if (child instanceof Markup) return child.text
  if (typeof child === "object") return child.map(render).join("")
  return child === undefined || child === false ? "" : child.replaceAll(/[&<>"']/g, (mark) => escapes[mark] ?? mark)
}

/**
 * A template whose values are escaped, in attributes too if these have their quotes.
 *
 * `html` of `@pixcharge/web` does the same on the server. This one has no dependency, so the element can bring it into the
 * pages of others.
 */
export const markup = (strings: TemplateStringsArray, ...values: ReadonlyArray<Child>): Markup =>
  new Markup(String.raw({ raw: strings }, ...values.map(render)))
