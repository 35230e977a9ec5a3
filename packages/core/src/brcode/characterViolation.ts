import { isPrintable, isUnreadable } from "./Characters.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { isTemplate } from "./readCodeFields.ts"
import { fieldName, type Source, theTop, visitFields } from "./Tlv.ts"

/**
 * Texts are printable ASCII, 0x20 to 0x7E (EMV `ans`); letters and signs beyond are added to `forgiven`, and what hides or
 * breaks a text is not forgiven. Codes, keys and URLs have narrower rules of their own.
 */
export const characterViolation = (
  source: Source,
  forgiven: Array<BrCodeViolation>,
  from = 0,
  to: number = source.text.length,
  template: number = theTop,
): BrCodeViolation | undefined =>
  visitFields(source, from, to, template, (id, start, end) => {
    if (isPrintable(source.text, start, end)) return undefined
    if (template === theTop && isTemplate(id)) return characterViolation(source, forgiven, start, end, id)
    if (isUnreadable(source.text.slice(start, end))) {
      return violation(fieldName(template, id), "control", "has control or direction characters")
    }
    forgiven.push(violation(fieldName(template, id), "characters", "has characters outside printable ASCII"))
    return undefined
  })
