/** The languages of the apps. */
export type Lang = "pt-BR" | "en"

const marks: Readonly<Record<Lang, readonly [group: string, point: string]>> = { "pt-BR": [".", ","], en: [",", "."] }

const groupDigits = (digits: string, separator: string): string => digits.replace(/\B(?=(?:\d{3}){1,7}$)/g, separator)

/** A number with a fixed count of decimals: `1.234,5`. */
export const formatDecimal = (value: number, decimals: number, lang: Lang): string => {
  const [group, point] = marks[lang]
  const [whole = "", fraction = ""] = Math.abs(value).toFixed(decimals).split(".")
  return `${value < 0 ? "-" : ""}${groupDigits(whole, group)}${fraction && point + fraction}`
}

/** An amount in integer cents: `R$ 1.234,56`. It needs no calendar, unlike the other formats: browsers' scripts can have it. */
export const formatReais = (cents: number, lang: Lang): string => {
  const [group, point] = marks[lang]
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}R$ ${groupDigits(digits.slice(0, -2), group)}${point}${digits.slice(-2)}`
}
