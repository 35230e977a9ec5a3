/** Markup in which every text was escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What markup may hold: texts are escaped, nothing is written for `undefined` and `false`. */
export type Child = string | Markup | false | undefined | ReadonlyArray<Child>

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const written = (child: Child): string => {
  if (child instanceof Markup) return child.text
  if (typeof child === "object") return child.map(written).join("")
  return child === undefined || child === false ? "" : child.replaceAll(/[&<>"']/g, (mark) => escapes[mark] ?? mark)
}

/**
 * A template whose values are escaped, in attributes too as long as these stand in quotes. The base's `html` does the same
 * on the server; this one is what the element can carry into other people's pages without a dependency.
 */
export const markup = (strings: TemplateStringsArray, ...values: ReadonlyArray<Child>): Markup =>
  new Markup(String.raw({ raw: strings }, ...values.map(written)))
