import { describe, expect, it } from "vitest"
import { chargeOutcomes } from "../../src/pages/dashboard/chargeOutcomes.ts"
import { chartCard } from "../../src/pages/dashboard/chartCard.ts"
import { conversionByHour } from "../../src/pages/dashboard/conversionByHour.ts"
import { deliveryHealth } from "../../src/pages/dashboard/deliveryHealth.ts"
import { figureTiles } from "../../src/pages/dashboard/dashboard.ts"
import { paidByDay } from "../../src/pages/dashboard/paidByDay.ts"
import { timeToPayment } from "../../src/pages/dashboard/timeToPayment.ts"
import { draw } from "../charts/draw.ts"
import { someFigures } from "./someFigures.ts"

const charts = { paidByDay, timeToPayment, conversionByHour, chargeOutcomes, deliveryHealth }

describe.each(Object.entries(charts))("the card of %s", (_, chart) => {
  it("says that there is no data, and still has a table", async () => {
    const card = chart(someFigures())
    expect(card.lead).toMatch(/^Nenhum/)
    expect(card.rows.length).toBeGreaterThan(3)
    const html = String(await chartCard(card))
    expect(html).not.toMatch(/NaN|undefined|Infinity|style=/)
  })

  it("describes the chart for people who can't see it", async () => {
    const card = chart(someFigures())
    const { text } = await draw(card.drawing)
    expect(text).toContain(`<desc id="${card.id}-chart-description">${card.lead}</desc>`)
  })
})

describe("paidByDay", () => {
  it("names the best day, and lists the figures of each day", async () => {
    const card = paidByDay(
      someFigures({}, [{}, { payments: 2, paidCents: 150_000 }, { payments: 1, paidCents: 1_990, returnedCents: 500 }]),
    )
    expect(card.lead).toBe("O melhor dia foi 17/11/2026, com R$ 1.500,00 em 2 pagamentos.")
    expect(card.rows.slice(1, 3)).toEqual([
      ["17/11/2026", "2", "R$ 1.500,00", "R$ 0,00"],
      ["18/11/2026", "1", "R$ 19,90", "R$ 5,00"],
    ])
    const { texts, elements } = await draw(card.drawing)
    expect(texts("chart-value")).toEqual(["0", "500", "1 mil", "1,5 mil"])
    expect(elements("rect", "chart-tone-plain")).toHaveLength(2)
  })

  it("has short ticks for very large and very small amounts", async () => {
    const ticks = async (paidCents: number) =>
      (await draw(paidByDay(someFigures({}, [{ payments: 1, paidCents }])).drawing)).texts("chart-value")
    expect(await ticks(3)).toEqual(["0", "0,01", "0,02", "0,03"])
    expect(await ticks(250_000_000_00)).toEqual(["0", "50 mi", "100 mi", "150 mi", "200 mi", "250 mi"])
    expect((await ticks(9_000_000_000_000_00)).at(-1)).toBe("10 tri")
  })
})

describe("timeToPayment", () => {
  const buckets = [
    { untilSeconds: 60, charges: 5 },
    { untilSeconds: 300, charges: 3 },
    { untilSeconds: 3_600, charges: 1 },
    { charges: 1 },
  ]

  it("marks the median and the 90% quantile", async () => {
    const card = timeToPayment(someFigures({ timeToPayment: { buckets, medianSeconds: 60, p90Seconds: 3_600 } }))
    expect(card.lead).toBe("Metade das cobranças pagas foi paga em até 1 minuto; 90%, em até 1 hora.")
    const { texts } = await draw(card.drawing)
    expect(texts("chart-marker-label")).toEqual(["mediana: 1 min", "90%: 1 h"])
    expect(card.rows.map(([name]) => name)).toEqual(["até 1 minuto", "até 5 minutos", "até 1 hora", "mais de 1 hora"])
  })

  it("names the last bound, without a marker, if a quantile is above it", async () => {
    const card = timeToPayment(someFigures({ timeToPayment: { buckets: [...buckets.slice(0, 3), { charges: 90 }] } }))
    expect(card.lead).toBe("Metade das cobranças pagas foi paga em mais de 1 hora; 90%, em mais de 1 hora.")
    expect((await draw(card.drawing)).texts("chart-marker-label")).toEqual([])
  })
})

describe("conversionByHour", () => {
  it("names the best hour, and shows no share for hours without charges", () => {
    const hours = someFigures().hours.map((each) =>
      each.hour === 9 ? { ...each, issued: 40, paid: 10 } : each.hour === 14 ? { ...each, issued: 80, paid: 60 } : each,
    )
    const card = conversionByHour(someFigures({ hours }))
    expect(card.lead).toBe("Melhor horário de emissão: 14h, com 75,0% das cobranças pagas.")
    expect(card.rows[9]).toEqual(["9h", "40", "10", "25,0%"])
    expect(card.rows[3]).toEqual(["3h", "0", "0", "—"])
  })

  it("doesn't name a best hour if fewer than two hours have 20 charges", () => {
    const leadOf = (one: number, other: number) =>
      conversionByHour(
        someFigures({
          hours: someFigures().hours.map((each) =>
            each.hour === 9
              ? { ...each, issued: one, paid: 1 }
              : each.hour === 14
                ? { ...each, issued: other, paid: other }
                : each,
          ),
        }),
      ).lead
    expect(leadOf(20, 19)).toMatch(/^51,3% das cobranças foram pagas. Ainda há poucas/)
    expect(leadOf(20, 20)).toMatch(/^Melhor horário de emissão: 14h/)
  })

  it("doesn't name a best hour if no charge was paid", () => {
    const hours = someFigures().hours.map((each) => ({ ...each, issued: 1 }))
    expect(conversionByHour(someFigures({ hours })).lead).toBe("Nenhuma cobrança do período foi paga ainda.")
  })
})

it("counts issued charges without another outcome as waiting", async () => {
  const card = chargeOutcomes(someFigures({ charges: { issued: 10, paid: 5, expired: 2, failed: 0, cancelled: 1 } }))
  expect(card.lead).toBe("De 10 cobranças emitidas, 50,0% foram pagas e 20,0% expiraram.")
  expect(card.rows).toEqual([
    ["Pagas", "5", "50,0%"],
    ["Aguardando", "2", "20,0%"],
    ["Expiradas", "2", "20,0%"],
    ["Canceladas", "1", "10,0%"],
  ])
  const debited = chargeOutcomes(someFigures({ charges: { issued: 4, paid: 1, expired: 0, failed: 2, cancelled: 0 } }))
  expect(debited.rows).toContainEqual(["Aguardando", "1", "25,0%"])
  expect(debited.rows).toContainEqual(["Não debitadas", "2", "50,0%"])
})

it("shows the share of delivered events and the number of failed attempts", async () => {
  const card = deliveryHealth(
    someFigures({ deliveries: { delivered: 8, waiting: 1, dead: 1, superseded: 3, failedAttempts: 12 } }, [
      { delivered: 8, waiting: 1, dead: 1, failedAttempts: 12 },
    ]),
  )
  expect(card.lead).toBe("De 10 envios, 80,0% foram entregues; 12 tentativas falharam.")
  expect(card.rows[0]).toEqual(["16/11/2026", "8", "1", "1", "12"])
  expect(String(await card.drawing)).toContain("8 entregues, 1 aguardando, 1 não entregue, 12 tentativas falharam")
})

it("links each tile to the list of its items in the same period", async () => {
  const html = String(
    await figureTiles(
      someFigures({
        charges: { issued: 4, paid: 1, expired: 2, failed: 0, cancelled: 0 },
        payments: { count: 1, cents: 123_456 },
        openExceptions: 3,
        deliveries: { waiting: 2, delivered: 0, dead: 0, superseded: 0, failedAttempts: 0 },
      }),
      (path = "") => `../12345678000195${path}`,
      "de=2026-11-16&ate=2026-11-22",
    ),
  )
  expect(html).toContain("R$ 1.234,56")
  expect(html).toContain("25,0%")
  expect(html).toContain('href="../12345678000195/excecoes?de=2026-11-16&amp;ate=2026-11-22&amp;situacao=open"')
  expect(html.match(/data-tone="bad"/g)).toHaveLength(1)
})
