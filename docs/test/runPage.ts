import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { snippetFiles, snippetsIn } from "@pixcharge/verify/release"
import { transformSync } from "rolldown/utils"
import { readText, root } from "./pages.ts"

/** What a page's program is given besides its text. */
export interface Surroundings {
  /** The blocks that are run, by their names, each as a program with instances of its own. By default all are, in their order, as one. */
  readonly entries?: ReadonlyArray<string>
  /** Of all, those that are programs of their own. */
  readonly apart?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Files that the page speaks of, by their paths. */
  readonly files?: Readonly<Record<string, string>>
  /** Called with each line that is printed, and the program's folder; `signal` ends the program as an operator would. */
  readonly onLine?: (line: string, signal: () => void, folder: string) => void
}

/** How a page's program went. */
export interface Outcome {
  readonly exitCode: number | null
  readonly printed: ReadonlyArray<string>
  readonly complaints: string
}

/** The lines of all `text` blocks of a page: what its snippets print. */
export const shownIn = (page: string): ReadonlyArray<string> =>
  [...readText(page).matchAll(/^```text\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.trimEnd().split("\n"))

const javascript = (file: string, code: string): string => {
  const { code: made, errors } = transformSync(file, code)
  if (errors.length > 0) throw errors[0]
  return made
}

/** Where a program finds the workspace's packages, built, by their names. */
const cache = join(root, "node_modules/.cache")

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Programs of their own take long to start on a busy machine. Shorter than a test may take, so that the failure says what they printed. */
export const maxRunMs = 160_000

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").slice(0, -1)

/** Runs the TypeScript of a page, in a process and a folder of its own. */
export const runPage = async (
  page: string,
  { entries, apart = entries ?? [], env, files = {}, onLine }: Surroundings = {},
): Promise<Outcome> => {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "page-"))
  try {
    const snippets = snippetFiles(page).map(({ name, code }) => ({ name, code: javascript(`${name}.ts`, code) }))
    // In a place of its own, a program has modules of its own, and so instances.
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
      // A program that never ends must not outlive its test.
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
