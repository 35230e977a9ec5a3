import { cpus } from "node:os"
import { markdownTable } from "../world/markdownTable.ts"
import { median } from "../world/quantile.ts"
import { type Judgement, judge } from "./judge.ts"
import { type Operation, operations, type Quantiles } from "./Latencies.ts"
import type { Rule } from "./rules.ts"
import type { SoakResults, SoakSample } from "./runSoak.ts"

const maxViolations = 20

const writeBytes = (bytes: number): string => {
  if (Math.abs(bytes) < 10_240) return `${Math.round(bytes)} B`
  return Math.abs(bytes) < 10 * 1_048_576 ? `${Math.round(bytes / 1_024)} KB` : `${Math.round(bytes / 1_048_576)} MB`
}

const writeAmount: Readonly<Record<Rule["unit"], (amount: number) => string>> = {
  bytes: writeBytes,
  count: (count) => String(Math.abs(count) < 10 ? Math.round(count * 10) / 10 : Math.round(count)),
  ratio: (ratio) => ratio.toFixed(2),
}

const writeMs = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`)

const writeQuantiles = ({ count, p50, p99, p999 }: Quantiles): ReadonlyArray<string> =>
  [p50, p99, p999].map((ms) => (count === 0 ? "none" : writeMs(ms)))

const quantileTable = ({ measured: { all, calm } }: SoakResults): string =>
  markdownTable(
    ["", "Operations", "p50", "p99", "p99.9", "p50 with faults", "p99", "p99.9"],
    (Object.keys(operations) as ReadonlyArray<Operation>).map((name) => [
      operations[name],
      String(all[name].count),
      ...writeQuantiles(calm[name]),
      ...writeQuantiles(all[name]),
    ]),
  )

const describeRule = ({ rule, level, rise, allowed }: Judgement): ReadonlyArray<string> => {
  const write = writeAmount[rule.unit]
  const each = rule.isPerCharge ? " a charge" : ""
  return [rule.what, write(level), `${write(rise)}${each}`, `${write(allowed)}${each}`]
}

const describeJudgements = (judgements: ReadonlyArray<Judgement>): ReadonlyArray<string> => {
  const shown = judgements.filter(({ isShown }) => isShown).map(describeRule)
  const unshown = judgements.filter(({ isShown }) => !isShown)
  const needs = unshown.map(({ rule, fromMinutes }) => `${rule.what} (${fromMinutes} minutes)`).join(", ")
  return [
    ...(shown.length > 0 ? [markdownTable(["", "Level", "Rise after the warm-up", "Allowed"], shown)] : []),
    ...(unshown.length > 0 ? [`Not judged, because it takes a longer run to show: ${needs}.`] : []),
  ]
}

export const describeSoak = (results: SoakResults): string => {
  const { samples, faults, checked, violations, postgres } = results
  const busy = Math.round(median(samples.map(({ machineLoad }) => machineLoad)))
  return [
    `${samples.at(-1)?.load.issued ?? 0} charges, ${faults} faults, Postgres ${postgres}, Node ${process.versions.node}, ` +
      `${cpus().length} cores, ${cpus()[0]?.model.trim()}. ${checked} charges were checked: ` +
      `${violations.length} broke a promise. ${busy} processes wanted a core, in the median.`,
    quantileTable(results),
    ...describeJudgements(judge(samples)),
  ].join("\n\n")
}

export const findFlaws = ({ samples, violations }: SoakResults): ReadonlyArray<string> => [
  ...judge(samples)
    .filter(({ holds }) => !holds)
    .map((judgement) => {
      const [what = "", level = "", rise = "", allowed = ""] = describeRule(judgement)
      return `${what} (${level}) rose by ${rise}; at most ${allowed} is allowed`
    }),
  ...violations.slice(0, maxViolations),
  ...(violations.length > maxViolations ? [`and ${violations.length - maxViolations} more`] : []),
]

export const describeSample = ({ atMs, host, database, load, machineLoad }: SoakSample): string =>
  [
    `${Math.round(atMs / 1_000)} s`,
    `${load.issued} issued`,
    `${load.paid} paid`,
    `heap ${writeBytes(host.heapBytes)}`,
    `memory ${writeBytes(host.rssBytes)}`,
    `${host.handles} handles`,
    `${host.descriptors} descriptors`,
    `${database.connections} connections`,
    `${database.outboxDue} to be sent`,
    `machine's load ${machineLoad.toFixed(1)}`,
    ...(load.violations > 0 ? [`${load.violations} VIOLATIONS`] : []),
  ].join(", ")
