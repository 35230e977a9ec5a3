import type { Figures } from "@pixcharge/core/internal"
import { formats } from "../../parts/formats.ts"
import { barChart } from "../../charts/barChart.ts"
import { type ChartCard, shortReais } from "./chartCard.ts"

const { count, day, reais } = formats

const payments = (number: number): string => `${count(number)} ${number === 1 ? "pagamento" : "pagamentos"}`

type Day = Figures["days"][number]

const findBest = (days: ReadonlyArray<Day>): Day | undefined =>
  days.reduce<Day | undefined>((best, each) => (each.paidCents > (best?.paidCents ?? 0) ? each : best), undefined)

const writeLead = (best: Day | undefined): string =>
  best === undefined
    ? "Nenhum pagamento no período."
    : `O melhor dia foi ${day(best.date)}, com ${reais(best.paidCents)} em ${payments(best.payments)}.`

export const paidByDay = ({ days }: Figures): ChartCard => {
  const title = "Recebido por dia, em reais"
  const lead = writeLead(findBest(days))
  return {
    id: "paid",
    title,
    lead,
    drawing: barChart({
      id: "paid-chart",
      title,
      description: lead,
      tones: ["plain"],
      tick: shortReais,
      bars: days.map((each) => ({
        label: day(each.date).slice(0, 5),
        title: `${day(each.date)}: ${reais(each.paidCents)}, ${payments(each.payments)}`,
        values: [each.paidCents],
      })),
    }),
    columns: ["Dia", "Pagamentos", "Recebido", "Devolvido"],
    rows: days.map((each) => [day(each.date), count(each.payments), reais(each.paidCents), reais(each.returnedCents)]),
  }
}
