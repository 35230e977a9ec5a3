import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"

/** Receives a field: its id, the start and end of its value (UTF-16 units), and its size in code points. */
export type Visit = (id: number, start: number, end: number, size: number) => BrCodeViolation | undefined

export const theTop = -1

export const checksumId = 63

const twoDigits: ReadonlyArray<string> = /* @__PURE__ */ Array.from({ length: 100 }, (_, n) =>
  String(n).padStart(2, "0"),
)

export const writeTwoDigits = (n: number): string => twoDigits[n] as string

/** The name of a field: `"54"`, or `"26.01"` inside a template. */
export const fieldName = (template: number, id: number): string =>
  template === theTop ? writeTwoDigits(id) : `${writeTwoDigits(template)}.${writeTwoDigits(id)}`

export class Source {
  readonly text: string
  /** Whether the text has characters of two UTF-16 units. */
  readonly wide: boolean

  constructor(text: string, wide: boolean) {
    this.text = text
    this.wide = wide
  }

  /**
   * Reads one level of fields, which fill the range exactly without a repeated id (EMV QRCPS-MPM 3.2). At `theTop` the
   * checksum must be last.
   */
  visitFields(from: number, end: number, template: number, visit: Visit): BrCodeViolation | undefined {
    const { text } = this
    let index = from
    let highest = -1
    while (index < end) {
      const id = index + 2 <= end ? twoDigitsAt(text, index) : -1
      if (id < 0) return noId(template, countCharacters(text, from, index) + 1)
      const size = index + 4 <= end ? twoDigitsAt(text, index + 2) : -1
      if (size < 1)
        return violation(fieldName(template, id), "length", "must declare its length in two digits, 01 to 99")
      const start = index + 4
      index = this.#skip(start, size, end)
      if (index < 0) return overrun(fieldName(template, id), size, countCharacters(text, start, end))
      if (id > highest) highest = id
      else if (this.#hasBefore(from, start - 4, id))
        return violation(fieldName(template, id), "duplicate", "occurs twice")
      const refused = visit(id, start, index, size)
      if (refused !== undefined) return refused
      if (id === checksumId && template === theTop && index < end)
        return violation("63", "last", "must be the last field")
    }
    return undefined
  }

  #hasBefore(from: number, end: number, id: number): boolean {
    for (let index = from; index < end; index = this.#skip(index + 4, twoDigitsAt(this.text, index + 2), end)) {
      if (twoDigitsAt(this.text, index) === id) return true
    }
    return false
  }

  #skip(from: number, size: number, end: number): number {
    if (!this.wide) return from + size <= end ? from + size : -1
    let index = from
    for (let left = size; left > 0; left--) {
      if (index >= end) return -1
      index += widthAt(this.text, index)
    }
    return index
  }
}

const twoDigitsAt = (text: string, index: number): number => {
  const tens = text.charCodeAt(index) - 48
  const ones = text.charCodeAt(index + 1) - 48
  return tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
}

const widthAt = (text: string, index: number): number => ((text.codePointAt(index) as number) > 0xffff ? 2 : 1)

/** Half a surrogate pair counts as one character. */
export const countCharacters = (text: string, from: number, end: number): number => {
  let count = 0
  for (let index = from; index < end; index += widthAt(text, index)) count++
  return count
}

const noId = (template: number, position: number): BrCodeViolation =>
  violation(
    template === theTop ? "code" : writeTwoDigits(template),
    "id",
    `has no field id of two digits at its character ${position}`,
  )

const overrun = (field: string, size: number, left: number): BrCodeViolation =>
  violation(field, "overrun", `declares ${size} characters where ${left} are left`)

export const matchesAt = (text: string, index: number, expected: string): boolean => {
  for (let i = 0; i < expected.length; i++) if (text.charCodeAt(index + i) !== expected.charCodeAt(i)) return false
  return true
}
