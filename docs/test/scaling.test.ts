import { describe, expect, it } from "vitest"
import { readText } from "./pages.ts"

const page = ["docs/scaling.md", "docs/internals/costs.md"].map(readText).join("\n")
const prose = page.replaceAll(/\s+/g, " ")

/** The rows of the table whose first heading is `head`. */
const rowsBelow = (head: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, table = ""] = page.split(`\n| ${head} `)
  const [lines = ""] = table.split("\n\n")
  const rows = lines.split("\n").slice(2)
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** A step's processor time per charge, in microseconds of one process, and how often it happens. */
interface Step {
  readonly times: number
  readonly log: number
  readonly sessions: number
  readonly host: number
}

const steps = new Map(
  rowsBelow("Step").map(([name = "", ...cells]) => {
    const [times = 0, log = 0, sessions = 0, host = 0] = cells.map((cell) => Number(cell.split(" / ")[0]))
    return [name, { times, log, sessions, host } satisfies Step]
  }),
)
const step = (name: string): Step => steps.get(name) as Step

const given = (pattern: RegExp): number => {
  const [, digits] = pattern.exec(prose) ?? []
  if (digits === undefined) throw new Error(`the page doesn't contain ${pattern.source}`)
  return Number(digits)
}

const charge = { ...step("together"), kept: given(/([\d.]+) bytes of a charge stay/) }
const lookOut = (what: keyof Step): number => step("listed")[what] + step("read again")[what]

const paid = given(/([\d.]+) payments a charge/)
const statusQueries = given(/([\d.]+) status queries/)
const busiest = given(/a busiest hour of ([\d.]+) times the day's mean/)
const toCompanies = given(/([\d.]+) % of the payments settled/) / 100
const meanDay = (given(/([\d.]+) thousand million PIX in the year 2025/) * 1e9) / 365
const largestDay = given(/([\d.]+) million on the largest day/) * 1e6
const charges = {
  company: 1e6,
  mean: (meanDay * toCompanies) / paid,
  largest: (largestDay * toCompanies) / paid,
  all: largestDay / paid,
}

const rounded = (value: number, digits = 2): string =>
  String(Number(value.toPrecision(digits))).replace(/\B(?=(\d{3})+$)/g, " ")
const millions = (value: number): string => `${rounded(value / 1e6, 3)} M`
const bytes = (value: number): string => (value < 1e12 ? `${rounded(value / 1e9)} GB` : `${rounded(value / 1e12)} TB`)
const percent = (share: number): string => rounded(share * 100)

const secondsOfDay = 86_400
const inBusiestSecond = (ofDay: number): number => (ofDay * busiest) / secondsOfDay
const cores = (ofDay: number, what: "host" | "sessions"): number => (inBusiestSecond(ofDay) * charge[what]) / 1e6
const logRate = (ofDay: number): number => (inBusiestSecond(ofDay) * charge.log) / 1e6

const row = (ofDay: number): ReadonlyArray<string> => [
  millions(ofDay * paid),
  millions(ofDay),
  rounded(inBusiestSecond(ofDay)),
  rounded(cores(ofDay, "host")),
  rounded(cores(ofDay, "sessions")),
  rounded(logRate(ofDay)),
  bytes(ofDay * charge.log),
  bytes(ofDay * charge.kept),
]

describe("a charge, and a day of them", () => {
  it("has the steps that the page assumes, as often as it assumes them", () => {
    expect(step("issue").times).toBe(1)
    expect(step("status").times).toBe(statusQueries)
    expect(step("pay").times).toBeGreaterThan(paid * 0.96)
    expect(step("pay").times).toBeLessThan(paid)
  })

  it("each figure of a day follows from the cost of a charge, as rounded", () => {
    expect(rowsBelow("A day of")).toEqual([
      ["one large company", ...row(charges.company)],
      ["all payments to companies, mean of 2025", ...row(charges.mean)],
      ["all payments to companies, the largest day", ...row(charges.largest)],
      ["all PIX of the country, the largest day", ...row(charges.all)],
    ])
  })
})

const halfCores = (ofDay: number): number => Math.ceil(cores(ofDay, "host") / 0.5)
const withWholePages = 2 * logRate(charges.mean)
const network = { gigabit: 125, tenGigabits: 1_250 }

const sentences = {
  "what a charge takes": `A charge takes ${rounded(charge.log / 1e3)} kB of log, ${rounded(charge.sessions / 1e3)} ms of Postgres and ${rounded(charge.host / 1e3)} ms of the host, and ${rounded(charge.kept / 1e3)} kB stay.`,
  "the look-out": `The search for lost notices is ${percent(lookOut("log") / charge.log)} % of the log, ${percent(lookOut("sessions") / charge.sessions)} % of Postgres and ${percent(lookOut("host") / charge.host)} % of the host`,
  "a mean day": `in the year 2025 ([report of 7 February 2026](https://divulgardinheiro.com/?p=68621)), ${rounded(meanDay / 1e6, 3)} million a day`,
  processes: `Plan for half a core each: ${rounded(0.5e6 / charge.host)} charges a second with all their steps. The large company needs ${halfCores(charges.company)}`,
  "processes of the country": `all payments to companies need ${halfCores(charges.mean)}.`,
  notices: `the large company's busiest hour has ${rounded(inBusiestSecond(charges.company) * paid)} payments a second, which ${Math.ceil((inBusiestSecond(charges.company) * paid) / 10)} processes confirm`,
  connections: `${halfCores(charges.mean)} processes hold ${halfCores(charges.mean) * 10}.`,
  "the log": `at ${rounded(logRate(charges.mean))} MB/s, and ${rounded(withWholePages)} MB/s with whole pages, a standby and an archive together take ${rounded(2 * withWholePages)} MB/s: ${percent((2 * withWholePages) / network.tenGigabits)} % of a network of 10 Gbit/s`,
  "a gigabit": `One of 1 Gbit/s (${network.gigabit} MB/s)`,
  "the disk of a year": `${bytes(365 * charges.company * charge.kept)} a year for the large company, ${bytes(365 * charges.mean * charge.kept)} for all payments to companies`,
  "a table of 100 GB": `the large company's charges have that after ${rounded(100e9 / (charges.company * given(/([\d.]+) of them in `charges`/)))} days`,
  "a machine's cores": `at ${rounded(inBusiestSecond(charges.mean))} charges a second, a machine of ${Math.ceil(2 * cores(charges.mean, "sessions"))}`,
  "a restored backup": `20 TB at 500 MB/s are ${rounded(20e12 / 500e6 / 3_600)} hours`,
}

it.each(Object.entries(sentences))("the prose has the same figures: %s", (_, sentence) => {
  expect(prose).toContain(sentence)
})

it("a gigabit network has the capacity that the page states", () => {
  expect((2 * withWholePages) / network.gigabit).toBeGreaterThan(0.75)
})
