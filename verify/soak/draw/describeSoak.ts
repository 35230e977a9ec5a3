import { type Judgement, judge } from "../judge/judge.ts"
import { median } from "../judge/robustSlope.ts"
import { type Operation, operations, type Quantiles } from "../measure/Latencies.ts"
import type { SoakResults, SoakSample } from "../SoakResults.ts"
import { writeMs } from "./drawQuantiles.ts"
import { writeAmount } from "./writeAmount.ts"

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const three = ({ count, p50, p99, p999 }: Quantiles): ReadonlyArray<string> =>
  [p50, p99, p999].map((ms) => (count === 0 ? "none" : writeMs(ms)))

/** How long operations took, as a table: without faults, and with those that met one. */
export const quantileTable = ({ measured: { all, calm } }: SoakResults): string =>
  [
    row(["", "Operations", "p50", "p99", "p99.9", "p50 with faults", "p99", "p99.9"]),
    row(["---", "---", "---", "---", "---", "---", "---", "---"]),
    ...(Object.keys(operations) as ReadonlyArray<Operation>).map((name) =>
      row([operations[name], String(all[name].count), ...three(calm[name]), ...three(all[name])]),
    ),
  ].join("\n")

const describeRule = ({ rule, level, rise, allowed }: Judgement): ReadonlyArray<string> => {
  const write = writeAmount[rule.unit]
  const each = rule._tag === "Growth" ? " a charge" : ""
  return [rule.what, write(level), `${write(rise)}${each}`, `${write(allowed)}${each}`]
}

/** What was judged, as a table. */
export const judgementTable = (judgements: ReadonlyArray<Judgement>): string =>
  [
    row(["", "Level", "Rise after the warm-up", "Allowed"]),
    row(["---", "---", "---", "---"]),
    ...judgements.map((judgement) => row(describeRule(judgement))),
  ].join("\n")

const mostShown = 20

/** What is wrong with a run, one sentence each; nothing if all holds. */
export const flawsOf = ({ samples, violations }: SoakResults): ReadonlyArray<string> => [
  ...judge(samples)
    .filter(({ holds }) => !holds)
    .map((judgement) => {
      const [what = "", level = "", rise = "", allowed = ""] = describeRule(judgement)
      return `${what} (${level}) rose by ${rise}, and may rise by ${allowed}`
    }),
  ...violations.slice(0, mostShown),
  ...(violations.length > mostShown ? [`and ${violations.length - mostShown} more`] : []),
]

/** One line of a run that is under way. */
export const describeSample = ({ atMs, host, database, load, machineLoad }: SoakSample): string =>
  [
    `${Math.round(atMs / 1_000)} s`,
    `${load.issued} issued`,
    `${load.paid} paid`,
    `heap ${writeAmount.bytes(host.heapBytes)}`,
    `memory ${writeAmount.bytes(host.rssBytes)}`,
    `${host.handles} handles`,
    `${host.descriptors} descriptors`,
    `${database.connections} connections`,
    `${database.outboxRows} in the outbox`,
    `issue p99 ${writeMs(load.window.issue.p99)}`,
    `host's CPU ${Math.round(host.cpuMs)} ms`,
    `machine's load ${machineLoad.toFixed(1)}`,
    ...(load.violations > 0 ? [`${load.violations} VIOLATIONS`] : []),
  ].join(", ")

const begin = "<!-- soak:begin -->"
const end = "<!-- soak:end -->"

/** The page with what a run has found between its markers. */
export const writeSection = (page: string, results: SoakResults): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no ${begin} and ${end}`)
  const { minutes, rate, checked, machine, versions, startedAt, samples, faults, violations } = results
  const issued = samples.at(-1)?.load.issued ?? 0
  const busy = median(samples.map(({ machineLoad }) => machineLoad)).toFixed(0)
  const section = `
${minutes} minutes at ${rate} charges a second, ${startedAt.slice(0, 10)}: ${issued} charges, ${faults.length} faults, Postgres ${versions.postgres},
Node ${versions.node.slice(1)}, ${machine}. ${checked} charges were held against what was promised: ${violations.length} were not as they must
be. Other work kept the machine busy meanwhile: ${busy} processes wanted a core, in the median.

![Quantiles of the operations, and heap, memory, handles, connections, outbox, dead rows, tables and log over time](soak.svg)

${quantileTable(results)}

${judgementTable(judge(samples))}

`
  return page.slice(0, from + begin.length) + section + page.slice(to)
}
