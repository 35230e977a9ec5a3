import { markdownTable } from "../report.ts"
import type { Day } from "./measureDay.ts"
import type { TableFigures } from "./tables.ts"

const percent = (part: number, whole: number): string => (whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`)

const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

const row = (settings: string, { charges }: Day, before: TableFigures, after: TableFigures): ReadonlyArray<string> => {
  const change = (text: (figures: TableFigures) => string): string => [before, after].map(text).join(" → ")
  return [
    `\`${after.table}\``,
    settings,
    (after.updates / charges).toFixed(1),
    percent(after.hot, after.updates),
    percent(after.samePage, after.updates),
    change(({ heap }) => size(heap)),
    change(({ live, heap }) => percent(live, heap) || "empty"),
    change(({ dead }) => String(dead)),
    change(({ indexes }) => size(indexes)),
    String(after.autovacuums),
  ]
}

const head = [
  "Table",
  "Settings",
  "Updates a charge",
  "HOT",
  "In the row's page",
  "Table's size",
  "Of it live rows",
  "Dead rows",
  "Indexes' size",
  "Autovacuum runs",
]

/** What a day has made of the tables, before and after it, without their settings and with them. */
export const dayTable = (days: Readonly<Record<string, Day>>): string =>
  markdownTable(
    head,
    Object.values(days)[0]?.before.flatMap((_, at) =>
      Object.entries(days).map(([settings, day]) =>
        row(settings, day, day.before[at] as TableFigures, day.after[at] as TableFigures),
      ),
    ) ?? [],
  )
