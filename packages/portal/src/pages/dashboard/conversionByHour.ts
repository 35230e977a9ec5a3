import type { Figures } from "@pixcharge/core"
import { formats } from "../../parts/formats.ts"
import { stepChart } from "../../charts/stepChart.ts"
import type { ChartCard } from "./chartCard.ts"

const { count, percent } = formats

type Hour = Figures["hours"][number]

const shareOf = ({ issued, paid }: Hour): number | undefined => (issued === 0 ? undefined : paid / issued)

const nameOf = ({ hour }: Hour): string => `${hour}h`

const bestOf = (hours: ReadonlyArray<Hour>): Hour | undefined =>
  hours.reduce<Hour | undefined>(
    (best, each) => ((shareOf(each) ?? 0) > (best === undefined ? 0 : (shareOf(best) ?? 0)) ? each : best),
    undefined,
  )

const leadOf = (hours: ReadonlyArray<Hour>): string => {
  if (hours.every(({ issued }) => issued === 0)) return "Nenhuma cobrança foi emitida no período."
  const best = bestOf(hours)
  return best === undefined
    ? "Nenhuma cobrança do período foi paga ainda."
    : `A melhor hora é a das ${nameOf(best)}: ${percent(shareOf(best) ?? 0)} das cobranças emitidas nela foram pagas.`
}

const titleOf = (hour: Hour): string => {
  const share = shareOf(hour)
  return share === undefined
    ? `${nameOf(hour)}: nenhuma cobrança`
    : `${nameOf(hour)}: ${percent(share)}, ${count(hour.paid)} de ${count(hour.issued)}`
}

/** Of the charges issued in each hour of the day, how many were paid. */
export const conversionByHour = ({ hours }: Figures): ChartCard => {
  const title = "Conversão por hora de emissão"
  const lead = leadOf(hours)
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
      steps: hours.map((hour) => ({ label: nameOf(hour), title: titleOf(hour), value: shareOf(hour) })),
    }),
    columns: ["Hora", "Emitidas", "Pagas", "Conversão"],
    rows: hours.map((hour) => {
      const share = shareOf(hour)
      return [nameOf(hour), count(hour.issued), count(hour.paid), share === undefined ? "—" : percent(share)]
    }),
  }
}
