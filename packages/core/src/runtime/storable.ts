// Control characters would break receipts and logs; marks of direction let a name pretend to be another.
const illegible = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u
// A line break or a tab makes nothing look like something else.
const everyIllegible = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu
// A zero-width space or a filler of Hangul is text to a program, and nothing to a reader.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a text can be a name: a character of it is visible, and none is a control character or turns the text's direction. */
export const isLegible = (text: string): boolean => visible.test(text) && !illegible.test(text)

/** The text with U+FFFD for each character that `isLegible` refuses, but line breaks and tabs: what is stored is shown by it. */
export const legibleText = (text: string): string => text.replace(everyIllegible, "\ufffd")

// What both Postgres and a `Date` know: from 4713 BC to AD 275760.
const first = -210_863_520_000_000
const last = 8_640_000_000_000_000

/** Whether every store can keep this moment, in epoch milliseconds. */
export const isStorableMoment = (moment: number): boolean => moment >= first && moment <= last

// Postgres texts hold no NUL and no half of a surrogate pair.
const unstorable = /[\0\p{Cs}]/u
const everyUnstorable = /[\0\p{Cs}]/gu

/** Whether every store can keep a text as it is: it holds no NUL and no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !unstorable.test(text)

/** The text with U+FFFD for what no store can keep. Texts that come from outside go through it before they are stored. */
export const storableText = (text: string): string => text.replace(everyUnstorable, "\ufffd")

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether it is a UUID, in any case and of any version. */
export const isUuid = (text: string): boolean => typeof text === "string" && uuid.test(text)
