import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "../../world/run.ts"
import { startBank } from "../../world/startBank.ts"
import { install } from "../install.ts"
import { listModules, packages } from "../packages.ts"
import { checkedPages, snippetFiles } from "../snippetFiles.ts"
import { snippetsIn } from "../snippetsIn.ts"
import { makeDependencies } from "./findVersion.ts"

const beside = [
  "effect",
  "express",
  "fastify",
  "@hono/node-server",
  "hono",
  "pg",
  "@opentelemetry/api",
  "@types/express",
  "@types/pg",
  "csv-parse",
  "pino",
  "vitest",
]

/** Imports every export except the test suites, which call vitest and load only in a test. */
const importAll = async (folder: string, subpaths: ReadonlyArray<string>): Promise<void> => {
  const plain = subpaths.filter((path) => !path.startsWith("@pixcharge/adapter-tests"))
  writeFileSync(join(folder, "importAll.mjs"), plain.map((path) => `import ${JSON.stringify(path)}`).join("\n"))
  await run("node", ["importAll.mjs"], folder)
}

const writeSnippets = (folder: string, page: string): void => {
  const place = join(folder, page.replaceAll("/", "-"))
  mkdirSync(place)
  for (const { name, code } of snippetFiles(page)) writeFileSync(join(place, `${name}.ts`), code)
}

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  moduleDetection: "force",
  noEmit: true,
  types: ["node"],
}

const typeCheck = async (folder: string, subpaths: ReadonlyArray<string>): Promise<void> => {
  for (const page of checkedPages) writeSnippets(folder, page)
  const imports = subpaths.map((path, index) => `export * as p${index} from ${JSON.stringify(path)}`)
  writeFileSync(join(folder, "everything.ts"), imports.join("\n"))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }))
  // One checker, because each further one would read the imports of all snippets again.
  await run("node_modules/.bin/tsc", ["-p", folder, "--checkers", "1"])
}

const hostWith = (secret: string): string => `import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
export const pix = createPix({ environment: "sandbox", store: memoryStore(), directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(), callbacks: callbackFetch(), tokens: { keys: [{ kid: "1", secret: "${secret}" }] } })
`

const runDoctor = (folder: string): void => {
  for (const [secret, status] of [
    ["a secret of at least thirty-two bytes", 0],
    ["short", 1],
  ] as const) {
    writeFileSync(join(folder, "host.mjs"), hostWith(secret))
    const doctor = spawnSync("node_modules/.bin/pixcharge", ["doctor", "host.mjs"], { cwd: folder, encoding: "utf8" })
    if (doctor.status === status) continue
    throw new Error(`pixcharge doctor ends with ${doctor.status}: ${doctor.stdout}${doctor.stderr}`)
  }
}

const runBank = async (folder: string): Promise<void> => {
  const bank = await startBank([], { cwd: folder, command: [join(folder, "node_modules/.bin/pixcharge-bank")] })
  const code = await bank.end()
  if (code !== 0) throw new Error(`pixcharge-bank ends with ${code}`)
}

/** Installs all packages together and checks them. Returns how many exports and snippets were checked. */
export const checkTogether = async (folder: string, tarballs: Readonly<Record<string, string>>): Promise<string> => {
  await install(folder, makeDependencies([...Object.keys(tarballs), ...beside], tarballs), tarballs)
  const subpaths = packages.flatMap(({ manifest }) =>
    listModules(manifest).map(({ subpath }) => manifest.name + subpath.slice(1)),
  )
  await importAll(folder, subpaths)
  await typeCheck(folder, subpaths)
  runDoctor(folder)
  await runBank(folder)
  return `${subpaths.length} exports, ${checkedPages.flatMap(snippetsIn).length} snippets`
}
