import { parseSync } from "rolldown/utils"
import { expect, it } from "vitest"
import { readText, sourceFiles } from "./pages.ts"

/** Names of numbers that are times. All other units are part of the name: `amountCents`, `timeoutMs`. */
const isTime = /(?:At|Until|Since)$|^(?:at|from|until|since|before|after|now)$/
const saysClock = /epoch milliseconds|monotonic/i

interface Interface {
  readonly id: { readonly name: string }
  readonly body: {
    readonly body: ReadonlyArray<{
      readonly start: number
      readonly key?: { readonly name?: string }
      readonly typeAnnotation?: { readonly typeAnnotation: { readonly type: string } } | null
    }>
  }
}

/** The times of a file's exported interfaces, each with its docblock and the interface's. */
const timesIn = (path: string) => {
  const text = readText(path)
  const { program, comments } = parseSync(path, text, { lang: "ts" })
  const docblockBefore = (start: number): string =>
    comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === "")?.value ?? ""
  return program.body.flatMap((statement) => {
    const { type, declaration } = statement as { type: string; declaration?: { type: string } | null }
    if (type !== "ExportNamedDeclaration" || declaration?.type !== "TSInterfaceDeclaration") return []
    const { id, body } = declaration as unknown as Interface
    const own = docblockBefore(statement.start)
    return body.body
      .filter(
        ({ key, typeAnnotation }) =>
          isTime.test(key?.name ?? "") && typeAnnotation?.typeAnnotation.type === "TSNumberKeyword",
      )
      .map(({ key, start }) => ({
        name: `${path} ${id.name}.${key?.name}`,
        docblocks: (own + docblockBefore(start)).replaceAll(/[\s*]+/g, " "),
      }))
  })
}

it("every time of an exported interface has its clock in a docblock", () => {
  const times = sourceFiles.filter((path) => /^packages\/(?!adapter-tests|simulated-bank)/.test(path)).flatMap(timesIn)
  expect(times.length).toBeGreaterThan(80)
  expect(times.filter(({ docblocks }) => !saysClock.test(docblocks)).map(({ name }) => name)).toEqual([])
})
