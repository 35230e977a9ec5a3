import { formatReais, formatsFor } from "@pixcharge/web"
import { expect, it } from "vitest"

const pt = formatsFor("pt-BR")
const en = formatsFor("en")

it.each([
  [0, "R$ 0,00", "R$ 0.00"],
  [5, "R$ 0,05", "R$ 0.05"],
  [99, "R$ 0,99", "R$ 0.99"],
  [100, "R$ 1,00", "R$ 1.00"],
  [123_456, "R$ 1.234,56", "R$ 1,234.56"],
  [-123_456, "-R$ 1.234,56", "-R$ 1,234.56"],
  [100_000_000, "R$ 1.000.000,00", "R$ 1,000,000.00"],
  [999_999_999_999_999, "R$ 9.999.999.999.999,99", "R$ 9,999,999,999,999.99"],
])("formats %i cents as %s, in English %s", (cents, portuguese, english) => {
  expect([pt.reais(cents), en.reais(cents), formatReais(cents, "pt-BR")]).toEqual([portuguese, english, portuguese])
})

it("formats counts and shares with the separators of their language", () => {
  expect([pt.count(1_234_567), en.count(1_234_567), pt.count(0), pt.count(999)]).toEqual([
    "1.234.567",
    "1,234,567",
    "0",
    "999",
  ])
  expect([pt.percent(0.125), en.percent(0.125), pt.percent(1), pt.percent(0)]).toEqual([
    "12,5%",
    "12.5%",
    "100,0%",
    "0,0%",
  ])
  expect([pt.count(-1_234), en.percent(-0.125)]).toEqual(["-1.234", "-12.5%"])
})

it("formats timestamps in Brasília's time in any server time zone", () => {
  const lastMinute = Date.UTC(2026, 10, 23, 2, 59)
  expect([pt.date(lastMinute), pt.time(lastMinute), pt.dateTime(lastMinute), pt.moment(lastMinute)]).toEqual([
    "22/11/2026",
    "23:59",
    "22/11/2026 23:59",
    "22/11/2026 às 23:59",
  ])
  expect([en.date(lastMinute), en.dateTime(lastMinute), en.moment(lastMinute)]).toEqual([
    "22 Nov 2026",
    "22 Nov 2026 23:59",
    "22 Nov 2026 23:59",
  ])
  expect([pt.day("2026-01-05"), en.day("2026-01-05")]).toEqual(["05/01/2026", "5 Jan 2026"])
})

it("formats months in English", () => {
  const names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  names.forEach((name, index) => expect(en.day(`2026-${String(index + 1).padStart(2, "0")}-09`)).toBe(`9 ${name} 2026`))
})

const minute = 60_000
it.each([
  [0, "agora", "now"],
  [59_999, "agora", "now"],
  [-minute, "há 1 minuto", "1 minute ago"],
  [-59 * minute, "há 59 minutos", "59 minutes ago"],
  [60 * minute, "em 1 hora", "in 1 hour"],
  [-1_439 * minute, "há 23 horas", "23 hours ago"],
  [1_440 * minute, "em 1 dia", "in 1 day"],
  [-30 * 1_440 * minute, "há 30 dias", "30 days ago"],
])("formats a distance of %i ms as %s, in English %s", (distance, portuguese, english) => {
  const now = Date.UTC(2026, 10, 22)
  expect([pt.relative(now + distance, now), en.relative(now + distance, now)]).toEqual([portuguese, english])
})
