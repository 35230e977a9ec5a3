import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../..")

/** The files below a folder whose names end so, by their paths from the root; none if there is no such folder. */
const filesIn = (folder: string, ending: RegExp): ReadonlyArray<string> =>
  !existsSync(join(root, folder))
    ? []
    : readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => ending.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
        .map((name) => `${folder}/${name}`)

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
