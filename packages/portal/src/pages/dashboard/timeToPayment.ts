import type { Figures } from "@pixcharge/core/internal"
import { barChart, type Marker } from "../../charts/barChart.ts"
import { formats } from "../../parts/formats.ts"
import { type ChartCard, shortNumber } from "./chartCard.ts"

const units = [
  [86_400, "dia", "dias", "d"],
  [3_600, "hora", "horas", "h"],
  [60, "minuto", "minutos", "min"],
  [1, "segundo", "segundos", "s"],
] as const

const inUnits = (seconds: number) => {
  const [size, one, several, short] = units.find(([least]) => seconds >= least) ?? units[3]
  return { count: Math.round(seconds / size), one, several, short }
}

const longDuration = (seconds: number): string => {
  const { count, one, several } = inUnits(seconds)
  return `${count} ${count === 1 ? one : several}`
}

const shortDuration = (seconds: number): string => {
  const { count, short } = inUnits(seconds)
  return `${count} ${short}`
}

const { count } = formats

type Times = Figures["timeToPayment"]
type Bucket = Times["buckets"][number]

const charges = (number: number): string => `${count(number)} ${number === 1 ? "cobrança" : "cobranças"}`

const nameBucket = ({ untilSeconds }: Bucket, before: number | undefined): string =>
  untilSeconds === undefined ? `mais de ${longDuration(before ?? 0)}` : `até ${longDuration(untilSeconds)}`

/** Above the last bound, only its minimum is known. */
const quantile = (seconds: number | undefined, buckets: ReadonlyArray<Bucket>): string =>
  seconds === undefined ? nameBucket({ charges: 0 }, buckets.at(-2)?.untilSeconds) : `até ${longDuration(seconds)}`

const writeLead = ({ buckets, medianSeconds, p90Seconds }: Times): string =>
  buckets.every((bucket) => bucket.charges === 0)
    ? "Nenhuma cobrança do período foi paga ainda."
    : `Metade das cobranças pagas foi paga em ${quantile(medianSeconds, buckets)}; 90%, em ${quantile(p90Seconds, buckets)}.`

const makeMarkers = ({ buckets, medianSeconds, p90Seconds }: Times): ReadonlyArray<Marker> =>
  [
    { seconds: medianSeconds, name: "mediana" },
    { seconds: p90Seconds, name: "90%" },
  ].flatMap(({ seconds, name }) => {
    const bar = buckets.findIndex(({ untilSeconds }) => untilSeconds === seconds)
    return seconds === undefined || bar < 0 ? [] : [{ bar, label: `${name}: ${shortDuration(seconds)}` }]
  })

export const timeToPayment = ({ timeToPayment: times }: Figures): ChartCard => {
  const { buckets } = times
  const title = "Tempo até o pagamento"
  const lead = writeLead(times)
  const names = buckets.map((bucket, index) => nameBucket(bucket, buckets[index - 1]?.untilSeconds))
  return {
    id: "time",
    title,
    lead,
    drawing: barChart({
      id: "time-chart",
      title,
      description: lead,
      tones: ["plain"],
      tick: shortNumber,
      isHistogram: true,
      markers: makeMarkers(times),
      bars: buckets.map((bucket, index) => ({
        label: bucket.untilSeconds === undefined ? "mais" : shortDuration(bucket.untilSeconds),
        title: `${names[index] ?? ""}: ${charges(bucket.charges)}`,
        values: [bucket.charges],
      })),
    }),
    columns: ["Tempo", "Cobranças"],
    rows: buckets.map((bucket, index) => [names[index] ?? "", count(bucket.charges)]),
  }
}
