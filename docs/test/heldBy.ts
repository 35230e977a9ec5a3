import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./pages.ts"

export interface NamedTest {
  readonly file: string
  readonly title: string
}

export const missingTests = (tests: ReadonlyArray<NamedTest>): ReadonlyArray<string> =>
  tests.flatMap(({ file, title }) => {
    if (!existsSync(join(root, file))) return [`no file ${file}`]
    const source = readFileSync(join(root, file), "utf8")
    const isThere = ['"', "`", "'"].some((quote) => source.includes(quote + title + quote))
    return isThere ? [] : [`no test "${title}" in ${file}`]
  })
