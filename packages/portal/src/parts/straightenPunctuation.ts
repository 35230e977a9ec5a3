/** What keyboards of phones write by themselves, and what is meant by it. */
const meanings: ReadonlyArray<readonly [written: RegExp, plain: string]> = [
  [/[‘’‛′]/g, "'"],
  [/[“”„‟″]/g, '"'],
  [/[‐‑‒–—―−]/g, "-"],
  [/…/g, "..."],
  [/[\u2000-\u200a\u202f]/g, " "],
]

/** A typed text with plain quotation marks, hyphens and spaces: banks show no others. */
export const straightenPunctuation = (text: string): string =>
  meanings.reduce((straight, [written, plain]) => straight.replaceAll(written, plain), text)
