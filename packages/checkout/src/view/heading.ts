import { type Child, Markup, markup } from "./markup.ts"

/** A heading of a level. */
export const heading = (level: number, content: Child): Markup =>
  new Markup(`<h${level}>${markup`${content}`.text}</h${level}>`)

/** The view's title, which takes the focus when the charge becomes something else: a script can focus it, a key can't. */
export const titleHeading = (isEmbedded: boolean, content: Child): Markup => {
  const level = isEmbedded ? 2 : 1
  return new Markup(`<h${level} tabindex="-1">${markup`${content}`.text}</h${level}>`)
}
