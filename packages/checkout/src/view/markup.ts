export class Markup {
  // `declare`, because the compiler adds a helper for fields.
  declare readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The content of markup. Strings are escaped; `undefined` and `false` render as empty. */
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
 * A template that escapes its values, also for quoted attributes.
 *
 * It has no dependency, unlike `html` of `@pixcharge/web`, to keep the element's script small on merchants' pages.
 */
export const markup = (strings: TemplateStringsArray, ...values: ReadonlyArray<Child>): Markup =>
  new Markup(String.raw({ raw: strings }, ...values.map(render)))
