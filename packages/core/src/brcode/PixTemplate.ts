import type { BrCodeViolation } from "./InvalidBrCode.ts"
import { fieldName, type Source, visitFields } from "./Tlv.ts"

/** A field that does not belong to the Pix, as it stands: `"04"`, another account's `"27"`, `"62.50"`. */
export interface UnrelatedField {
  readonly field: string
  readonly value: string
}

/** A template that may be one of the Pix: an account (26 to 51) or a recurrence (80 to 99). */
export class PixTemplate {
  readonly id: number
  /** Whether its field 00, the GUI, names the Pix. */
  isPix = false
  key: string | undefined
  description: string | undefined
  facilitator: string | undefined
  url: string | undefined
  /** Further fields, to which the Pix gives no meaning; most templates have none. */
  others: Array<UnrelatedField> | undefined

  constructor(id: number) {
    this.id = id
  }
}

const gui = "br.gov.bcb.pix"

/** The GUI counts in any case (Manual §2.5). */
const isGui = (text: string, start: number, end: number): boolean =>
  end - start === gui.length && (text.startsWith(gui, start) || text.slice(start, end).toLowerCase() === gui)

/** Reads what stands in a template from `start` to before `end` into an empty one. */
export const readTemplate = (
  source: Source,
  template: PixTemplate,
  start: number,
  end: number,
): BrCodeViolation | undefined =>
  visitFields(source, start, end, template.id, (id, from, to) => {
    const { text } = source
    if (id === 0) template.isPix = isGui(text, from, to)
    else if (id === 1) template.key = text.slice(from, to)
    else if (id === 2) template.description = text.slice(from, to)
    else if (id === 3) template.facilitator = text.slice(from, to)
    else if (id === 25) template.url = text.slice(from, to)
    else (template.others ??= []).push({ field: fieldName(template.id, id), value: text.slice(from, to) })
    return undefined
  })
