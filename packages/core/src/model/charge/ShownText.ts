import { isLegible } from "../../runtime/storable.ts"

export const shownCharacters =
  "of ISO 8859-1 (Latin letters and signs, no emoji), one of them visible, and no control characters"

// pacs.008 was rejected for characters outside ISO 8859-1 (bacen/pix-perguntas-e-respostas#409). U+00AD is invisible.
const shown = /^[\x20-\x7e\xa0-\xac\xae-\xff]*$/

/** Trims and composes (NFC) a text; undefined if a bank can't show it. */
export const parseShownText = (text: unknown, maxLength: number): string | undefined => {
  if (typeof text !== "string") return undefined
  const composed = text.normalize("NFC").trim()
  return shown.test(composed) && isLegible(composed) && composed.length <= maxLength ? composed : undefined
}
