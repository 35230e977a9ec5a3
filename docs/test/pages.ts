import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../..")

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [`${folder}/${entry.name}`]
    return ["node_modules", "dist"].includes(entry.name) ? [] : walk(`${folder}/${entry.name}`)
  })

/** The files below a folder that match the ending, relative to the root; empty if the folder doesn't exist. */
const filesIn = (folder: string, ending: RegExp): ReadonlyArray<string> =>
  existsSync(join(root, folder)) ? walk(folder).filter((file) => ending.test(file)) : []

const projects = ["packages", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
)

export const pages: ReadonlyArray<string> = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...filesIn("docs", /\.md$/),
  ...filesIn(".github", /\.md$/),
  ...projects.map((project) => `${project}/README.md`).filter((page) => existsSync(join(root, page))),
]

/** The files of code in the `src` of packages and examples. */
export const sourceFiles: ReadonlyArray<string> = projects.flatMap((project) => filesIn(`${project}/src`, /\.ts$/))

export const testFiles: ReadonlyArray<string> = [
  ...projects.flatMap((project) => filesIn(`${project}/test`, /\.ts$/)),
  ...["docs/test", "verify"].flatMap((folder) => filesIn(folder, /\.(ts|mjs)$/)),
]

/** A docblock's text for users, without the numbers of the project's decisions. */
export const withoutDecisions = (text: string): string => text.replaceAll(/\s*\(decisions? \d[\d, and]*\)/g, "")

export const readText = (page: string): string => readFileSync(join(root, page), "utf8")
