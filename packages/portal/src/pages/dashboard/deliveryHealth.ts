import type { Figures } from "@pixcharge/core/internal"
import { formats, several } from "../../parts/formats.ts"
import { barChart } from "../../charts/barChart.ts"
import { type ChartCard, shortNumber } from "./chartCard.ts"

const { count, day, percent } = formats

type Day = Figures["days"][number]

const writeLead = ({ delivered, waiting, dead, failedAttempts }: Figures["deliveries"]): string => {
  const all = delivered + waiting + dead
  if (all === 0) return "Nenhum evento no período."
  const failures = failedAttempts === 1 ? "1 tentativa falhou" : `${count(failedAttempts)} tentativas falharam`
  return `De ${several(all, "envio", "envios")}, ${percent(delivered / all)} foram entregues; ${failures}.`
}

const writeTitle = ({ date, delivered, waiting, dead, failedAttempts }: Day): string => {
  const parts = [
    several(delivered, "entregue", "entregues"),
    waiting > 0 && `${count(waiting)} aguardando`,
    dead > 0 && several(dead, "não entregue", "não entregues"),
    failedAttempts > 0 && several(failedAttempts, "tentativa falhou", "tentativas falharam"),
  ].filter((part) => part !== false)
  return `${day(date)}: ${parts.join(", ")}`
}

export const deliveryHealth = ({ days, deliveries }: Figures): ChartCard => {
  const title = "Saúde dos envios de eventos"
  const lead = writeLead(deliveries)
  return {
    id: "deliveries",
    title,
    lead,
    drawing: barChart({
      id: "deliveries-chart",
      title,
      description: lead,
      tones: ["good", "waiting", "bad"],
      tick: shortNumber,
      bars: days.map((each) => ({
        label: day(each.date).slice(0, 5),
        title: writeTitle(each),
        values: [each.delivered, each.waiting, each.dead],
      })),
    }),
    legend: [
      { tone: "good", label: `Entregues: ${count(deliveries.delivered)}` },
      { tone: "waiting", label: `Aguardando: ${count(deliveries.waiting)}` },
      { tone: "bad", label: `Não entregues: ${count(deliveries.dead)}` },
    ],
    columns: ["Dia", "Entregues", "Aguardando", "Não entregues", "Falhas"],
    rows: days.map((each) => [
      day(each.date),
      count(each.delivered),
      count(each.waiting),
      count(each.dead),
      count(each.failedAttempts),
    ]),
  }
}
