import type { Figures } from "@pixcharge/core/internal"
import { formats } from "../../parts/formats.ts"
import { stepChart } from "../../charts/stepChart.ts"
import type { ChartCard } from "./chartCard.ts"

const { count, percent } = formats

type Hour = Figures["hours"][number]

const computeShare = ({ issued, paid }: Hour): number | undefined => (issued === 0 ? undefined : paid / issued)

const nameHour = ({ hour }: Hour): string => `${hour}h`

/** With fewer, the best hour would depend on chance. */
const minIssued = 20

const findBest = (hours: ReadonlyArray<Hour>): Hour | undefined => {
  const comparable = hours.filter(({ issued }) => issued >= minIssued)
  const share = (hour: Hour) => computeShare(hour) ?? 0
  return comparable.length < 2
    ? undefined
    : comparable.reduce((best, each) => (share(each) > share(best) ? each : best))
}

const sum = (hours: ReadonlyArray<Hour>, field: "issued" | "paid"): number =>
  hours.reduce((all, hour) => all + hour[field], 0)

const writeLead = (hours: ReadonlyArray<Hour>): string => {
  const [issued, paid] = [sum(hours, "issued"), sum(hours, "paid")]
  if (issued === 0) return "Nenhuma cobrança foi emitida no período."
  if (paid === 0) return "Nenhuma cobrança do período foi paga ainda."
  const best = findBest(hours)
  return best === undefined
    ? `${percent(paid / issued)} das cobranças foram pagas. Ainda há poucas para indicar o melhor horário: são necessárias pelo menos ${minIssued} em cada hora comparada.`
    : `Melhor horário de emissão: ${nameHour(best)}, com ${percent(computeShare(best) ?? 0)} das cobranças pagas.`
}

const writeTitle = (hour: Hour): string => {
  const share = computeShare(hour)
  return share === undefined
    ? `${nameHour(hour)}: nenhuma cobrança`
    : `${nameHour(hour)}: ${percent(share)}, ${count(hour.paid)} de ${count(hour.issued)}`
}

export const conversionByHour = ({ hours }: Figures): ChartCard => {
  const title = "Conversão por hora de emissão"
  const lead = writeLead(hours)
  return {
    id: "conversion",
    title,
    lead,
    drawing: stepChart({
      id: "conversion-chart",
      title,
      description: lead,
      top: 1,
      tick: (share) => `${Math.round(share * 100)}%`,
      steps: hours.map((hour) => ({ label: nameHour(hour), title: writeTitle(hour), value: computeShare(hour) })),
    }),
    columns: ["Hora", "Emitidas", "Pagas", "Conversão"],
    rows: hours.map((hour) => {
      const share = computeShare(hour)
      return [nameHour(hour), count(hour.issued), count(hour.paid), share === undefined ? "—" : percent(share)]
    }),
  }
}
