import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Choices } from "./choices.ts"
import type { Project } from "./Project.ts"
import { listSettings, nameTest, tsconfig, writeEnvExample, writeIssueScript, writeTest } from "./write/commonFiles.ts"
import { appModuleLines, writeMainLines, writeNestModule } from "./write/nestPart.ts"
import { writeNextFiles } from "./write/nextFiles.ts"
import { writePixModule } from "./write/pixModule.ts"
import { serverParts, writeMount, writeServer } from "./write/serverParts.ts"
import { type Source, writeSource } from "./write/writeSource.ts"

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const nameLine = (line: string): string => line.replace(/=.*/, "=")

const missingLines = (path: string, text: string): string => {
  const present = new Set((existsSync(path) ? readFileSync(path, "utf8") : "").split("\n").map(nameLine))
  const missing = text.split("\n").filter((line) => !line.startsWith("#") && !present.has(nameLine(line)))
  return missing.filter((line) => line !== "").join("\n")
}

export interface Written {
  readonly written: ReadonlyArray<string>
  readonly lines: Files
}

/**
 * Writes missing files and changes no existing file. Writes no file if the first file exists, because the other files import
 * it, or if `isToWrite` is false. Returns the files that it didn't write as lines to add.
 */
export const writeFiles = (folder: string, files: Files, isToWrite: boolean): Written => {
  const paths = Object.keys(files)
  const isAbsent = (path: string): boolean => !isThere(join(folder, path))
  const written = isToWrite && isAbsent(paths[0] ?? "") ? paths.filter(isAbsent) : []
  for (const path of written) mkdirSync(dirname(join(folder, path)), { recursive: true })
  for (const path of written) writeFileSync(join(folder, path), files[path] ?? "", { flag: "wx" })
  const lines = paths
    .filter((path) => !written.includes(path))
    .map((path) => {
      const text = files[path] ?? ""
      return [path, path.startsWith(".") ? missingLines(join(folder, path), text) : text.trimEnd()] as const
    })
  return { written, lines: Object.fromEntries(lines.filter(([, text]) => text !== "")) }
}

type Sources = Readonly<Record<string, Source>>

/** The content of each file, by path. */
export type Files = Readonly<Record<string, string>>

const listModules = (choices: Choices, project: Project): Sources => {
  const { framework } = choices
  const { kind, source } = project
  if (framework === "next") return writeNextFiles(choices, project)
  if (framework === "nest") return { [`${source}payments.module`]: writeNestModule(choices) }
  if (framework === "none") return { [`${source}issue`]: writeIssueScript(choices) }
  const part = serverParts[framework]
  return {
    [`${source}payments`]: part.routes(choices),
    ...(kind === "new" && { [`${source}server`]: writeServer(choices, part) }),
  }
}

const writeAll = (sources: Sources, project: Project): Files =>
  Object.fromEntries(
    Object.entries(sources).map(([path, source]) => [path + project.extension, writeSource(source, project)]),
  )

const isServed = (framework: Choices["framework"]): framework is keyof typeof serverParts => framework in serverParts

const drizzleLines = '// Without this, drizzle-kit push drops tables of pixcharge.\nschemaFilter: ["public"],'
const mikroOrmLines =
  '// Without this, schema.update() drops tables of pixcharge.\nschemaGenerator: { ignoreSchema: ["pixcharge"] },'

export const listLines = (choices: Choices, project: Project): Files => {
  const { framework, store } = choices
  const { kind, server, source, toolConfigs } = project
  const lines: Record<string, string> = {}
  const add = (to: string, text: Source) => (lines[to] = writeSource(text, project))
  if (isServed(framework) && kind !== "new")
    add(server ?? "your server", writeMount(choices, serverParts[framework], project))
  if (framework === "nest") {
    add(`${source}app.module.ts`, appModuleLines)
    add(server ?? `${source}main.ts`, writeMainLines(choices, project))
  }
  if (store === "postgres") {
    for (const path of toolConfigs) lines[path] = path.includes("drizzle.") ? drizzleLines : mikroOrmLines
  }
  return lines
}

/** The files to write, by path. All code imports the first file. */
export const listFiles = (choices: Choices, project: Project): Files => {
  const isNew = project.kind === "new"
  const hasSettings = listSettings(choices, project).length > 0
  const ignored = [
    "node_modules",
    ...(isNew ? [choices.framework === "next" ? ".next" : "dist"] : []),
    ...(hasSettings ? [".env"] : []),
    ...(choices.store === "embedded" ? [".pixcharge"] : []),
    ...(choices.bank === "sandbox" ? [] : ["certs"]),
  ]
  return {
    ...writeAll(
      { [`${project.source}pix`]: writePixModule(choices, project), ...listModules(choices, project) },
      project,
    ),
    [nameTest(choices, project)]: writeTest(project),
    ...(hasSettings && { ".env.example": writeEnvExample(choices, project) }),
    ".gitignore": `${ignored.join("\n")}\n`,
    // Next.js makes its own tsconfig.json.
    ...(isNew && !project.hasTsconfig && choices.framework !== "next" && { "tsconfig.json": tsconfig }),
  }
}
