// Postgres texts hold no NUL and no half of a surrogate pair.
const unstorable = /[\0\p{Cs}]/u
const everyUnstorable = /[\0\p{Cs}]/gu

/** Whether every store can keep a text as it is: it holds no NUL and no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !unstorable.test(text)

/** The text with U+FFFD for what no store can keep. Texts that come from outside go through it before they are stored. */
export const storableText = (text: string): string => text.replace(everyUnstorable, "\ufffd")
