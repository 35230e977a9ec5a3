import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, extname, join, resolve } from "node:path"
import type { Choices } from "./choices.ts"

/** The facts about a folder that decide which files are written, and their style. */
export interface Project {
  /** A new project gets all files; a backend gets files beside its own; any other folder only gets printed lines. */
  readonly kind: "new" | "backend" | "unknown"
  readonly framework?: Choices["framework"]
  readonly server?: string
  /** The code's folder: `"src/"`, or `""`. */
  readonly source: string
  readonly isTypeScript: boolean
  readonly isModule: boolean
  /** The extension of a code file. `ending` is the extension that imports write. */
  readonly extension: string
  readonly ending: string
  readonly manager: "npm" | "pnpm" | "yarn" | "bun"
  readonly runner: "node" | "vitest" | "jest" | "other"
  readonly hasPg: boolean
  readonly isOnFastify: boolean
  readonly isOnWorkerd: boolean
  readonly hasTsconfig: boolean
  /** Whether the package's type isn't `module`. */
  readonly lacksType: boolean
  /** The configurations of tools that drop other programs' tables. */
  readonly toolConfigs: ReadonlyArray<string>
}

interface Manifest {
  readonly type?: unknown
  readonly main?: unknown
  readonly workspaces?: unknown
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: object
  readonly devDependencies?: object
}

const list = (folder: string): ReadonlyArray<string> => (existsSync(folder) ? readdirSync(folder) : [])
const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "")

const beginnings = new Set([
  "package.json",
  "package-lock.json",
  "node_modules",
  "tsconfig.json",
  "README.md",
  "LICENSE",
])

const frameworks = [
  ["next", "next"],
  ["nest", "@nestjs/core"],
  ["fastify", "fastify"],
  ["hono", "hono"],
  ["express", "express"],
] as const

/** Packages of frameworks. `init` only prints lines for them. */
const foreign =
  /^(?:(?:koa|nuxt|astro|electron|expo|elysia|restify|sails|vite)$|@(?:adonisjs|hapi|remix-run|sveltejs|strapi)\/)/

const locks = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
} as const

const findManager = (folder: string): Project["manager"] => {
  const lockEntry = Object.entries(locks).find(([lock]) => existsSync(join(folder, lock)))
  if (lockEntry !== undefined) return lockEntry[1]
  return dirname(folder) === folder ? "npm" : findManager(dirname(folder))
}

const folders = ["src/", ""]
const usual = folders.flatMap((folder) =>
  ["server", "app", "index", "main"].flatMap((name) =>
    [".ts", ".mts", ".js", ".mjs", ".cjs"].map((extension) => folder + name + extension),
  ),
)

const findServer = (folder: string, { main, scripts }: Manifest, name: string): string | undefined => {
  const namedPaths = [main, scripts?.["start"], scripts?.["dev"]].flatMap((text) => String(text).split(/\s+/))
  const loads = (text: string): boolean => text.includes(`"${name}"`) || text.includes(`'${name}'`)
  return [...namedPaths.map((path) => path.replace(/^\.\//, "")), ...usual]
    .filter((path) => /\.[cm]?[jt]s$/.test(path) && !/^(?:\.|\/|dist|build|node_modules)/.test(path))
    .find((path) => loads(read(join(folder, path))))
}

const readStyle = (folder: string, { type }: Manifest, server: string | undefined, isNext: boolean) => {
  const tsconfig = read(join(folder, "tsconfig.json"))
  const extension = server === undefined ? (tsconfig === "" ? ".js" : ".ts") : extname(server)
  const isTypeScript = extension.endsWith("ts")
  const isWrittenAsModule = !isTypeScript && server !== undefined && /^import\s/m.test(read(join(folder, server)))
  const isModule = extension[1] === "m" || (extension[1] !== "c" && (type === "module" || isWrittenAsModule))
  const isNative = tsconfig === "" || /"(?:allowImporting|rewriteRelativeImport)\w+":\s*true/.test(tsconfig)
  const ending = (): string => {
    if (isNext) return ""
    if (!isTypeScript || isNative) return extension
    return isModule ? extension.replace("ts", "js") : ""
  }
  // With `verbatimModuleSyntax`, TypeScript refuses ES imports in CommonJS.
  const isRefused = isTypeScript && !isModule && !isNext && /"verbatimModuleSyntax":\s*true/.test(tsconfig)
  return { style: { extension, isTypeScript, isModule, ending: ending() }, isRefused }
}

const findSource = (folder: string, server: string | undefined, isNext: boolean): string => {
  const serverFolder = server === undefined ? undefined : `${dirname(server)}/`.replace(/^\.\//, "")
  if (serverFolder !== undefined) return serverFolder
  // Next.js wants `app` and `pages` below the same folder.
  const signs = isNext ? ["src/app", "src/pages"] : ["src"]
  const source = signs.some((path) => existsSync(join(folder, path))) ? "src/" : ""
  return isNext ? `${source}lib/` : source
}

const findToolConfigs = (folder: string): ReadonlyArray<string> =>
  folders.flatMap((source) =>
    list(join(folder, source)).flatMap((name) =>
      /^(?:drizzle|mikro-orm)\.config\./.test(name) ? [source + name] : [],
    ),
  )

const findRunner = ({ scripts }: Manifest, dependencies: ReadonlyArray<string>): Project["runner"] => {
  const runnerName = (["vitest", "jest"] as const).find((name) => dependencies.includes(name))
  const test = scripts?.["test"] ?? ""
  return runnerName ?? (test === "" || /--test|no test specified/.test(test) ? "node" : "other")
}

const newProject: Project = {
  kind: "new",
  source: "src/",
  isTypeScript: true,
  isModule: true,
  extension: ".ts",
  ending: ".js",
  manager: "npm",
  runner: "node",
  hasPg: false,
  isOnFastify: false,
  isOnWorkerd: false,
  hasTsconfig: false,
  lacksType: true,
  toolConfigs: [],
}

const readManifest = (folder: string): Manifest | undefined => {
  try {
    return JSON.parse(read(join(folder, "package.json"))) as Manifest
  } catch {
    return undefined
  }
}

/** Recognises a folder's project. */
export const inspectProject = (dir: string, framework?: Choices["framework"]): Project => {
  const folder = resolve(dir)
  const entries = list(folder)
  const manifest = readManifest(folder)
  const dependencies = Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies })
  const others = dependencies.filter((name) => !/^(?:@pixcharge\/|effect$|typescript$|@types\/)/.test(name))
  const isNew = others.length === 0 && entries.every((name) => name.startsWith(".") || beginnings.has(name))
  const hasTsconfig = entries.includes("tsconfig.json")
  const lacksType = manifest?.type !== "module"
  if (isNew)
    return { ...newProject, hasTsconfig, lacksType, ...(framework === "next" && { source: "lib/", ending: "" }) }

  const frameworkEntry = frameworks.find(([name, itsPackage]) =>
    framework === undefined ? dependencies.includes(itsPackage) : framework === name,
  )
  const isNext = frameworkEntry?.[0] === "next"
  const server = frameworkEntry && !isNext ? findServer(folder, manifest ?? {}, frameworkEntry[1]) : undefined
  const { style, isRefused } = readStyle(folder, manifest ?? {}, server, isNext)
  const has = (name: string): boolean => folders.some((path) => existsSync(join(folder, path, name)))
  const hasPages = isNext && has("pages") && !has("app")
  const isForeign = frameworkEntry === undefined && others.some((name) => foreign.test(name))
  const isRoot =
    manifest?.workspaces !== undefined || /^packages:\s*\n/m.test(read(join(folder, "pnpm-workspace.yaml")))
  // A Nest workspace has its apps below `apps/`.
  const isOtherNest = frameworkEntry?.[0] === "nest" && (server === undefined || !style.isTypeScript)
  const isOnWorkerd =
    frameworkEntry?.[0] === "hono" && dependencies.includes("wrangler") && !dependencies.includes("@hono/node-server")
  const isUnwritten = isRefused || hasPages || isOtherNest || isOnWorkerd
  const isUnknown = !manifest || isRoot || isForeign || isUnwritten
  return {
    kind: isUnknown ? "unknown" : "backend",
    ...(frameworkEntry && { framework: frameworkEntry[0] }),
    ...(server !== undefined && { server }),
    source: findSource(folder, server, isNext),
    ...style,
    manager: findManager(folder),
    runner: findRunner(manifest ?? {}, dependencies),
    hasPg: dependencies.includes("pg"),
    isOnFastify: dependencies.includes("@nestjs/platform-fastify"),
    isOnWorkerd,
    hasTsconfig,
    lacksType: false,
    toolConfigs: findToolConfigs(folder),
  }
}
