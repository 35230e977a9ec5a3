import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { eventBodies } from "../src/wire/EventBody.ts"

type Field = readonly [name: string, codec: { readonly fields?: ReadonlyArray<Field> }, presence?: "optional"]
type Rows = ReadonlyArray<ReadonlyArray<string>>

const list = (fields: ReadonlyArray<Field>): string =>
  fields.map(([name, , presence]) => `\`${name}\`${presence === undefined ? "" : "?"}`).join(", ")

const bodies = Object.entries(eventBodies).map(([kind, { tipo, dados }]) => ({
  kind,
  tipo,
  fields: Object.values(dados as Readonly<Record<string, Field>>),
}))

const kindRows: Rows = bodies.map(({ kind, tipo, fields }) => [`\`${tipo}\``, `\`${kind}\``, list(fields)])

const objectRows: Rows = [
  ...new Map(
    bodies.flatMap(({ fields }) =>
      fields.flatMap(([name, { fields: inner }]) =>
        inner === undefined ? [] : [[`\`${name}\``, list(inner)] as const],
      ),
    ),
  ),
]

/** A table as oxfmt aligns it. */
const table = (rows: Rows): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const [head = "", ...lines] = rows.map(
    (row) => `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`,
  )
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...lines].join("\n")
}

/** The page with new rows in the table that begins with these titles. */
const withTable = (page: string, titles: ReadonlyArray<string>, rows: Rows): string => {
  const begins = titles.map((title) => `${title.replaceAll(/[?.`]/g, "\\$&")} *`).join("\\| ")
  const written = new RegExp(`^\\| ${begins}\\|$(\\n\\|.*)+`, "m")
  expect(page).toMatch(written)
  return page.replace(written, table([titles, ...rows]))
}

// `pnpm exports` writes the tables.
it.each([
  ["events.md", "Fields of `dados` besides `empresa`", ["Object", "Fields"]],
  ["pt-BR/eventos.md", "O que `dados` tem além de `empresa`", ["Objeto", "Campos"]],
])("docs/%s lists every kind of event with the fields of its body", async (name, title, objectTitles) => {
  const file = new URL(`../../../docs/${name}`, import.meta.url)
  const page = withTable(readFileSync(file, "utf8"), ["`tipo`", "`kinds`", title], kindRows)
  await expect(withTable(page, objectTitles, objectRows)).toMatchFileSnapshot(file.pathname)
})
