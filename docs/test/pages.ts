import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../..")

/** The paths of all files below a folder, without what is installed or built: to list that takes seconds. */
const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [`${folder}/${entry.name}`]
    return ["node_modules", "dist"].includes(entry.name) ? [] : walk(`${folder}/${entry.name}`)
  })

/** The files below a folder whose names end so, by their paths from the root; none if there is no such folder. */
const filesIn = (folder: string, ending: RegExp): ReadonlyArray<string> =>
  existsSync(join(root, folder)) ? walk(folder).filter((file) => ending.test(file)) : []

const projects = ["packages", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
)

/** Every page of the project, by its path from the root. */
export const pages: ReadonlyArray<string> = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...filesIn("docs", /\.md$/),
  ...filesIn(".github", /\.md$/),
  ...projects.map((project) => `${project}/README.md`).filter((page) => existsSync(join(root, page))),
]

/** Every file of code in the packages' and examples' `src`. */
export const sourceFiles: ReadonlyArray<string> = projects.flatMap((project) => filesIn(`${project}/src`, /\.ts$/))

/** Every file of code that is no source of a package: tests and the machinery that verifies. */
export const testFiles: ReadonlyArray<string> = [
  ...projects.flatMap((project) => filesIn(`${project}/test`, /\.ts$/)),
  ...["docs/test", "verify"].flatMap((folder) => filesIn(folder, /\.(ts|mjs)$/)),
]

export const readText = (page: string): string => readFileSync(join(root, page), "utf8")
