import { isLegible } from "../../runtime/storable/LegibleText.ts"

/** What a text that a payer's bank shows must consist of, for messages of errors. */
export const shownCharacters =
  "of ISO 8859-1 (Latin letters and signs, no emoji), one of them visible, and no control characters"

// What a message brings about is sent on in pacs.008, which was seen refused for characters outside of ISO 8859-1
// (bacen/pix-perguntas-e-respostas#409). U+00AD is seen by nobody.
const shown = /^[\x20-\x7e\xa0-\xac\xae-\xff]*$/

/** A text as payers are shown it, trimmed and composed (NFC); undefined for what they can't be shown. */
export const parseShownText = (text: unknown, maxLength: number): string | undefined => {
  if (typeof text !== "string") return undefined
  const composed = text.normalize("NFC").trim()
  return shown.test(composed) && isLegible(composed) && composed.length <= maxLength ? composed : undefined
}
