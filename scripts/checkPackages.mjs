/**
 * Checks the packages as their users get them: packed, without anything that doesn't belong there, linted by publint,
 * installed in an empty folder, every export imported, the docs' snippets type-checked against them, and README's first program
 * run. What tests work with is installed once more, each part alone: it must load with what it says that it needs, bring nothing
 * else, and pass the tests of a user of it.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { firstInstalled, installLine, pack, packages, root } from "./pack.mjs"
import { snippetsIn } from "./snippets.mjs"
import { tarballFlaws } from "./tarballFlaws.mjs"

const rootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] }).toString()

const fail = (message) => {
  console.error(message)
  process.exit(1)
}

/** Tarballs by package name. */
const packAll = (folder) =>
  Object.fromEntries(
    pack(folder).map(({ name, filename, files }) => {
      const flaws = tarballFlaws(files)
      for (const flaw of flaws) console.error(`${name}: in the tarball ${flaw}`)
      if (flaws.length > 0) process.exitCode = 1
      return [name, `file:${filename}`]
    }),
  )

/** Lints what would be published, not the folder that it is made of. */
const lint = async (tarballs) => {
  for (const { manifest } of packages) {
    const file = readFileSync(tarballs[manifest.name].slice("file:".length))
    const tarball = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength)
    const { messages, pkg } = await publint({ strict: true, pack: { tarball } })
    for (const message of messages) console.error(`${manifest.name}: ${formatMessage(message, pkg)}`)
    if (messages.length > 0) process.exitCode = 1
  }
}

const catalog = (name) => {
  const line = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
    .split("\n")
    .find((text) => text.trim().replaceAll('"', "").startsWith(`${name}: `))
  return line?.split(": ").at(-1) ?? fail(`the catalog has no ${name}`)
}

/** Installs these packages in an empty folder; ours come from their tarballs, wherever they are needed. */
const install = (folder, names, tarballs) => {
  const dependencies = Object.fromEntries(names.map((name) => [name, tarballs[name] ?? catalog(name)]))
  dependencies["@types/node"] = rootManifest.devDependencies["@types/node"]
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  const overrides = Object.entries(tarballs).map(([name, file]) => `  "${name}": "${file}"`)
  writeFileSync(
    join(folder, "pnpm-workspace.yaml"),
    ["packages: []", "strictDepBuilds: false", "overrides:", ...overrides, ""].join("\n"),
  )
  run("pnpm", ["install", "--prefer-offline", "--ignore-scripts"], folder)
}

const importAll = (folder) => {
  const subpaths = packages.flatMap(({ manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, target]) => typeof target !== "string")
      .map(([path]) => manifest.name + path.slice(1)),
  )
  // The testkit's suites call vitest, which can only be loaded within a test.
  const plain = subpaths.filter((path) => !path.startsWith("@pixcharge/testkit"))
  const lines = plain.map(
    (path) => `console.log(${JSON.stringify(path)}, Object.keys(await import(${JSON.stringify(path)})).length)`,
  )
  writeFileSync(join(folder, "importAll.mjs"), lines.join("\n"))
  run("node", ["importAll.mjs"], folder)
  return subpaths
}

/** README's first program prints what README shows, once npm has installed the tarballs as `pnpm run tarballs` says. */
const runFirst = (folder, tarballs) => {
  mkdirSync(folder)
  run("sh", ["-c", `${installLine(firstInstalled(), tarballs)} --prefer-offline --no-audit --no-fund`], folder)
  writeFileSync(join(folder, "first.mjs"), snippetsIn("README.md")[0].code)
  const [, shown] = /^```text\n(.*?)^```$/ms.exec(readFileSync(join(root, "README.md"), "utf8"))
  const printed = run("node", ["first.mjs"], folder)
  const isShown = new RegExp(`^${shown.replaceAll("...", "\\w.*")}$`).test(printed)
  if (!isShown) throw new Error(`README's first program prints\n${printed}\nand README shows\n${shown}`)
}

/** The doctor finds nothing wrong with a sound host, and says what is wrong with another. */
const runDoctor = (folder) => {
  const options = `environment: "sandbox", store: memoryStore(), directory: memoryDirectory({ companies: [] }),
    processor: sandboxProcessor(), callbacks: callbackFetch()`
  const host = (secret) => `import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
export const pix = createPix({ ${options}, tokens: { keys: [{ kid: "1", secret: "${secret}" }] } })
`
  const command = join(folder, "node_modules/.bin/pixcharge")
  for (const [secret, status] of [
    ["a secret of at least thirty-two bytes", 0],
    ["short", 1],
  ]) {
    writeFileSync(join(folder, "host.mjs"), host(secret))
    const ended = spawnSync(command, ["doctor", "host.mjs"], { cwd: folder, encoding: "utf8" })
    if (ended.status !== status)
      throw new Error(`pixcharge doctor ends with ${ended.status}: ${ended.stdout}${ended.stderr}`)
  }
}

/** What tests work with: what to install for it besides effect, and what of ours that brings. */
const parts = {
  "@pixcharge/simulated-bank": { needs: [], brings: ["core"] },
  "@pixcharge/testing": {
    needs: [],
    brings: ["callback-fetch", "core", "embed", "http", "processor-sandbox", "store-memory"],
    tests: "hosts/testing/node",
  },
  "@pixcharge/testkit/fixtures": { needs: [], brings: ["core"] },
  "@pixcharge/testkit/simulation": {
    needs: ["@pixcharge/core", "@pixcharge/store-memory"],
    brings: ["core", "store-memory"],
    tests: "packages/testkit/test/packed",
  },
  "@pixcharge/testkit/suites": { needs: ["vitest"], brings: ["core"] },
  "@pixcharge/testkit/conformance": {
    needs: ["vitest", ...["embed", "http", "processor-sandbox", "store-memory"].map((name) => `@pixcharge/${name}`)],
    brings: ["core", "embed", "http", "processor-sandbox", "store-memory"],
  },
}

/** Imports a part; what calls vitest can only be loaded within a test. */
const importPart = (folder, part, { needs }) => {
  const line = `const { length } = Object.keys(await import(${JSON.stringify(part)}))`
  if (!needs.includes("vitest")) return run("node", ["--input-type=module", "--eval", line], folder)
  const test = `import { expect, it } from "vitest"\n${line}\nit("loads", () => expect(length).toBeGreaterThan(0))\n`
  writeFileSync(join(folder, "loads.test.js"), test)
  return run(join(folder, "node_modules", ".bin", "vitest"), ["run"], folder)
}

/** Runs tests of a part's users on `node:test`, which waits for the process of each to end by itself. */
const runTests = (folder, tests) => {
  cpSync(join(root, tests), join(folder, "tests"), { recursive: true })
  const files = readdirSync(join(folder, "tests")).map((file) => join("tests", file))
  run("node", ["--test", ...files], folder)
}

const importAlone = (folder, part, { needs, brings, tests }, tarballs) => {
  const name = part.split("/").slice(0, 2).join("/")
  install(folder, ["effect", name, ...needs], tarballs)
  const installed = readdirSync(join(folder, "node_modules", ".pnpm"))
  const expected = new Set([...brings.map((own) => `@pixcharge/${own}`), name, ...needs])
  for (const other of [...Object.keys(tarballs), "vitest"]) {
    const isInstalled = installed.some((entry) => entry.startsWith(`${other.replace("/", "+")}@`))
    if (isInstalled !== expected.has(other)) {
      throw new Error(`installing ${part} alone ${isInstalled ? "brings" : "doesn't bring"} ${other}`)
    }
  }
  importPart(folder, part, { needs })
  if (tests !== undefined) runTests(folder, tests)
}

/** The pages of which each snippet must be right against the packages as they are packed. */
const pages = [
  "README.md",
  "docs/architecture.md",
  "docs/client.md",
  "docs/events.md",
  "docs/first-real-payment.md",
  "docs/first-steps.md",
  "docs/operations.md",
  "docs/portal.md",
  "docs/production.md",
  "docs/testing.md",
  ...["packages", "examples"]
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}/README.md`))
    .filter((page) => existsSync(join(root, page))),
]

/** What pages import as `./pix.js` that don't make one of their own. */
const commonPix = () => snippetsIn("docs/first-steps.md").filter(({ name }) => name === "pix")

const writeSnippets = (folder, page) => {
  const place = join(folder, page.replaceAll("/", "-"))
  mkdirSync(place)
  for (const { name, code } of [...commonPix(), ...snippetsIn(page)]) writeFileSync(join(place, `${name}.ts`), code)
}

const typeCheck = (folder, subpaths) => {
  for (const page of pages) writeSnippets(folder, page)
  const imports = subpaths.map((path, at) => `export * as p${at} from ${JSON.stringify(path)}`)
  writeFileSync(join(folder, "everything.ts"), imports.join("\n"))
  const compilerOptions = {
    target: "es2023",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }))
  run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder], folder)
}

const folder = mkdtempSync(join(tmpdir(), "pixcharge-packages-"))
try {
  const tarballs = packAll(folder)
  await lint(tarballs)
  const all = join(folder, "all")
  const beside = [
    "effect",
    "express",
    "fastify",
    "hono",
    "pg",
    "@opentelemetry/api",
    "@types/express",
    "@types/pg",
    "pino",
    "vitest",
  ]
  install(all, [...Object.keys(tarballs), ...beside], tarballs)
  const subpaths = importAll(all)
  typeCheck(all, subpaths)
  runDoctor(all)
  runFirst(join(folder, "first"), tarballs)
  Object.entries(parts).forEach(([part, terms], at) => importAlone(join(folder, `alone${at}`), part, terms, tarballs))
  console.log(
    `${packages.length} packages, ${subpaths.length} exports, ${pages.flatMap(snippetsIn).length} snippets and ${Object.keys(parts).length} parts alone are good`,
  )
} catch (error) {
  console.error(error.stdout?.toString() ?? "")
  fail(error.message)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
