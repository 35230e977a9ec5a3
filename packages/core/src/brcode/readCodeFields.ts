import type { CodeFields } from "./CodeFields.ts"
import { maxCityLength, maxNameLength, categoryCodeViolation } from "./FieldRules.ts"
import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import { PixTemplate, readTemplate } from "./PixTemplate.ts"
import { fieldName, type Source, matchesAt, theTop, visitFields, writeTwoDigits } from "./Tlv.ts"

type Broken = BrCodeViolation | undefined

const isAccount = (id: number): boolean => id >= 26 && id <= 51

/** Whether a field of the top holds fields itself. */
export const isTemplate = (id: number): boolean => isAccount(id) || id === 62 || id === 64 || id >= 80

/**
 * Reads the fields of all levels into `fields`, up to the first that breaks a rule by itself: how fields are
 * written, constants, codes of few values, two accounts of the Pix (Manual §2.5).
 */
export const readCodeFields = (source: Source, fields: CodeFields): Broken => {
  const { text } = source
  return visitFields(source, 0, text.length, theTop, (id, start, end, size) => {
    fields.firstId ??= id
    fields.lastId = id
    switch (id) {
      case 0:
        fields.hasFormat = true
        return constantViolation(text, start, end, id, "01")
      case 1:
        fields.pointOfInitiation = matchesAt(text, start, "11") ? "reusable" : "singleUse"
        return size === 2 && (matchesAt(text, start, "11") || matchesAt(text, start, "12"))
          ? undefined
          : violation("01", "value", "must be 11 or 12")
      case 52:
        fields.category = text.slice(start, end)
        return categoryCodeViolation(fields.category)
      case 53:
        fields.hasCurrency = true
        return constantViolation(text, start, end, id, "986")
      case 54:
        fields.amount = text.slice(start, end)
        return undefined
      case 58:
        fields.hasCountry = true
        return constantViolation(text, start, end, id, "BR")
      case 59:
        fields.name = text.slice(start, end)
        return forgiveSize(fields, id, size, maxNameLength)
      case 60:
        fields.city = text.slice(start, end)
        return forgiveSize(fields, id, size, maxCityLength)
      case 61:
        fields.postalCode = text.slice(start, end)
        return undefined
      case 62:
        fields.hasAdditional = true
        return takeAdditional(fields, source, start, end)
      case 63:
        // Four UTF-16 units, so that these are the four whose checksum was compared.
        return size === 4 && end - start === 4 ? undefined : violation("63", "length", "must have four digits")
      case 64:
        addUnrelated(fields, text, theTop, id, start, end)
        return visitFields(source, start, end, id, accept)
      default:
        if (isTemplate(id)) return takeTemplate(fields, source, id, start, end)
        addUnrelated(fields, text, theTop, id, start, end)
        return undefined
    }
  })
}

const accept = () => undefined

const constantViolation = (text: string, start: number, end: number, id: number, constant: string): Broken =>
  end - start === constant.length && matchesAt(text, start, constant)
    ? undefined
    : violation(writeTwoDigits(id), "value", `must be ${constant}`)

const forgiveSize = ({ forgiven }: CodeFields, id: number, size: number, maxSize: number): undefined => {
  if (size > maxSize) {
    forgiven.push(violation(writeTwoDigits(id), "size", `has ${size} characters, ${maxSize} at most`))
  }
}

const addUnrelated = (fields: CodeFields, text: string, template: number, id: number, start: number, end: number) => {
  fields.unrelated.push({ field: fieldName(template, id), value: text.slice(start, end) })
}

const takeAdditional = (fields: CodeFields, source: Source, start: number, end: number): Broken =>
  visitFields(source, start, end, 62, (id, from, to) => {
    if (id === 5) fields.txid = source.text.slice(from, to)
    else addUnrelated(fields, source.text, 62, id, from, to)
    return undefined
  })

const takeTemplate = (fields: CodeFields, source: Source, id: number, start: number, end: number): Broken => {
  const template = new PixTemplate(id)
  const broken = readTemplate(source, template, start, end)
  if (broken !== undefined) return broken
  const account = isAccount(id)
  if (!template.isPix) {
    addUnrelated(fields, source.text, theTop, id, start, end)
    if (account) fields.otherAccountId ??= id
    return undefined
  }
  const first = account ? fields.account : fields.recurrence
  if (first !== undefined) {
    return violation(writeTwoDigits(id), "twoAccounts", `belongs to the Pix, as ${first.id} already does`)
  }
  if (!account) fields.recurrence = template
  else {
    fields.account = template
    for (const other of template.others ?? []) fields.unrelated.push(other)
  }
  return undefined
}
