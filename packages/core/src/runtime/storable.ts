// Control characters break receipts and logs; direction marks let one name look like another name.
const illegible = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u
// Line breaks and tabs can't disguise a text, so they stay.
const everyIllegible = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu
// A zero-width space or a Hangul filler is a character to a program and invisible to a reader.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** Requires a visible character, no control character and no direction mark. */
export const isLegible = (text: string): boolean => visible.test(text) && !illegible.test(text)

export const isShort = (text: string, maxLength: number): boolean =>
  text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength)

/** Replaces each character that `isLegible` refuses by U+FFFD, except line breaks and tabs. */
export const legibleText = (text: string): string => text.replace(everyIllegible, "\ufffd")

// The range that both Postgres and `Date` support: 4713 BC to AD 275760.
const first = -210_863_520_000_000
const last = 8_640_000_000_000_000

/** `moment` is in epoch milliseconds. */
export const isStorableMoment = (moment: number): boolean => moment >= first && moment <= last

// Postgres texts can't hold NUL or half a surrogate pair.
const unstorable = /[\0\p{Cs}]/u
const everyUnstorable = /[\0\p{Cs}]/gu

export const isStorableText = (text: string): boolean => !unstorable.test(text)

/** Replaces NUL and halves of surrogate pairs by U+FFFD. */
export const storableText = (text: string): string => text.replace(everyUnstorable, "\ufffd")

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Accepts upper and lower case, and every version. */
export const isUuid = (text: string): boolean => typeof text === "string" && uuid.test(text)
