import { atText } from "../view/texts.ts"
import type { ViewFormats } from "../view/ViewParts.ts"

const money = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })
const moment = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "America/Sao_Paulo",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
})

const splitMoment = (atMs: number): Readonly<Record<string, string>> =>
  Object.fromEntries(moment.formatToParts(atMs).map(({ type, value }) => [type, value]))

const date = ({ day, month, year }: Readonly<Record<string, string>>): string => `${day}/${month}/${year}`

/** The formats of the server's pages, made by the browser's `Intl`. */
export const browserFormats: ViewFormats = {
  reais: (cents) => money.format(cents / 100).replace(/\s/, " "),
  day: (iso) => iso.replace(/(\d{4})-(\d\d)-(\d\d)/, "$3/$2/$1"),
  date: (atMs) => date(splitMoment(atMs)),
  moment: (atMs) => {
    const parts = splitMoment(atMs)
    return `${date(parts)} ${atText} ${parts["hour"]}:${parts["minute"]}`
  },
}
