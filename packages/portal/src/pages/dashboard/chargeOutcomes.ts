import type { Figures } from "@pixcharge/core/internal"
import { formats } from "../../parts/formats.ts"
import type { Tone } from "../../charts/barChart.ts"
import { shareBar } from "../../charts/shareBar.ts"
import type { ChartCard } from "./chartCard.ts"

const { count, percent } = formats

interface Outcome {
  readonly tone: Tone
  readonly label: string
  readonly value: number
}

/** Failed debits only if there are any: most companies have no recurrences. */
const outcomes = ({ issued, paid, expired, failed, cancelled }: Figures["charges"]): ReadonlyArray<Outcome> => [
  { tone: "good", label: "Pagas", value: paid },
  { tone: "waiting", label: "Aguardando", value: Math.max(0, issued - paid - expired - failed - cancelled) },
  { tone: "bad", label: "Expiradas", value: expired },
  ...(failed > 0 ? [{ tone: "bad", label: "Não debitadas", value: failed } as const] : []),
  { tone: "quiet", label: "Canceladas", value: cancelled },
]

const writeLead = ({ issued, paid, expired }: Figures["charges"]): string =>
  issued === 0
    ? "Nenhuma cobrança foi emitida no período."
    : `De ${count(issued)} ${issued === 1 ? "cobrança emitida" : "cobranças emitidas"}, ${percent(paid / issued)} foram pagas e ${percent(expired / issued)} expiraram.`

export const chargeOutcomes = ({ charges }: Figures): ChartCard => {
  const title = "Situação das cobranças emitidas"
  const lead = writeLead(charges)
  const parts = outcomes(charges)
  const share = (value: number): string => (charges.issued === 0 ? "—" : percent(value / charges.issued))
  return {
    id: "outcomes",
    title,
    lead,
    isWide: true,
    drawing: shareBar({
      id: "outcomes-chart",
      title,
      description: lead,
      shares: parts.map(({ tone, label, value }) => ({
        tone,
        value,
        title: `${label}: ${count(value)}, ${share(value)}`,
      })),
    }),
    legend: parts.map(({ tone, label, value }) => ({ tone, label: `${label}: ${count(value)}` })),
    columns: ["Situação", "Cobranças", "Percentual"],
    rows: parts.map(({ label, value }) => [label, count(value), share(value)]),
  }
}
