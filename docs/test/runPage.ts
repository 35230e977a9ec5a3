import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { snippetFiles, snippetsIn } from "@pixcharge/verify/release"
import { transformSync } from "rolldown/utils"
import { readText, root } from "./pages.ts"

export interface Surroundings {
  /** The names of the blocks to run, in order. By default all blocks run. */
  readonly entries?: ReadonlyArray<string>
  /** The blocks that get their own modules and instances; by default all `entries`. */
  readonly apart?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** Called with each printed line and the program's folder. `signal` ends the program as an operator would. */
  readonly onLine?: (line: string, signal: () => void, folder: string) => void
}

export interface Outcome {
  readonly exitCode: number | null
  readonly printed: ReadonlyArray<string>
  readonly complaints: string
}

/** The lines of a page's `text` blocks: the output of its snippets. */
export const shownIn = (page: string): ReadonlyArray<string> =>
  [...readText(page).matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.trimEnd().split("\n"))

const javascript = (file: string, code: string): string => {
  const { code: made, errors } = transformSync(file, code)
  if (errors.length > 0) throw errors[0]
  return made
}

/** Programs in this folder find the workspace's built packages by name. */
const cache = join(root, "node_modules/.cache")

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/**
 * The time limit of a program, because programs start slowly on a busy machine. It is shorter than the limit of a test,
 * so that a failed test shows what the program printed.
 */
export const maxRunMs = 160_000

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").slice(0, -1)

export const runPage = async (
  page: string,
  { entries, apart = entries ?? [], env, files = {}, onLine }: Surroundings = {},
): Promise<Outcome> => {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "page-"))
  try {
    const snippets = snippetFiles(page).map(({ name, code }) => ({ name, code: javascript(`${name}.ts`, code) }))
    // A separate folder gives a program its own modules and instances.
    const findPlace = (name: string): string => (apart.includes(name) ? `./${name}` : ".")
    const runs = entries ?? snippetsIn(page).map(({ name }) => name)
    write(folder, "package.json", '{ "type": "module" }')
    for (const place of new Set(runs.map(findPlace))) {
      for (const { name, code } of snippets) write(folder, `${place}/${name}.js`, code)
    }
    for (const [path, text] of Object.entries(files)) write(folder, path, text)
    const imports = runs.map((name) => `await import("${findPlace(name)}/${name}.js")`)
    write(folder, "all.js", imports.join("\n"))

    const child = spawn(process.execPath, ["all.js"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...env },
      // Ends the program before its test times out.
      timeout: maxRunMs,
    })
    let printed = ""
    let complaints = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const before = linesOf(printed).length
      printed += text
      for (const line of linesOf(printed).slice(before)) {
        onLine?.(line, () => child.kill("SIGTERM"), folder)
      }
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text))
    const [exitCode] = (await once(child, "close")) as [number | null]
    return { exitCode, printed: linesOf(printed), complaints }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
