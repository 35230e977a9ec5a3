import { businessDay, dayMs, isOpen, plusDays } from "./recurrences/calendar.ts"
import type { WrittenFees, WrittenPart } from "./writtenFees.ts"

const cents = (value: string): number => Math.round(Number(value) * 100)

const shareOf = (base: number, { modalidade, valorPerc = "0" }: WrittenPart): number =>
  modalidade === 1 ? cents(valorPerc) : Math.floor((base * cents(valorPerc)) / 10_000)

/** The days from the one to the other, without the first. */
const countDays = (from: string, to: string, areOpen: boolean): number => {
  if (!areOpen) return (Date.parse(to) - Date.parse(from)) / dayMs
  let count = 0
  for (let day = from; day < to; day = plusDays(day, 1)) count += Number(isOpen(plusDays(day, 1)))
  return count
}

const discountOf = (base: number, desconto: WrittenPart, due: string, day: string): number => {
  const { modalidade, valorPerc = "0", descontoDataFixa: tiers } = desconto
  if (tiers !== undefined) {
    const tier = tiers.find(({ data }) => day <= businessDay(data))
    return tier === undefined ? 0 : shareOf(base, { modalidade, valorPerc: tier.valorPerc })
  }
  const early = day >= due ? 0 : countDays(plusDays(day, -1), plusDays(due, -1), modalidade % 2 === 0)
  return modalidade < 5 ? cents(valorPerc) * early : Math.floor((base * cents(valorPerc) * early) / 10_000)
}

const periods = [1, 1, 30, 360, 1, 1, 21, 252]

const interestOf = (base: number, { modalidade, valorPerc = "0" }: WrittenPart, late: number): number => {
  if (modalidade % 4 === 1) return cents(valorPerc) * late
  return Math.floor((base * Math.floor((cents(valorPerc) * 100 * late) / (periods[modalidade - 1] ?? 1))) / 1_000_000)
}

/** The cents that a due-date charge costs on a day, by its `valor` and the central bank's rules. */
export const amountDue = (originalCents: number, dueDate: string, valor: object, day: string): number => {
  const { multa, juros, abatimento, desconto } = valor as WrittenFees
  const due = businessDay(dueDate)
  const base = originalCents - (abatimento ? shareOf(originalCents, abatimento) : 0)
  const reduced = Math.max(1, base - (desconto ? discountOf(base, desconto, due, day) : 0))
  if (day <= due) return reduced
  const interest = juros ? interestOf(base, juros, countDays(due, day, juros.modalidade > 4)) : 0
  return reduced + interest + (multa ? shareOf(base, multa) : 0)
}
