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
