/**
 * Checks the packages as their users get them: linted by publint, packed, installed in an empty folder, every export
 * imported, and the docs' snippets type-checked against them.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

const root = join(import.meta.dirname, "..")
const rootManifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const packages = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter(({ manifest }) => manifest.private !== true)

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] }).toString()

const fail = (message) => {
  console.error(message)
  process.exit(1)
}

const lint = async () => {
  for (const { folder, manifest } of packages) {
    const { messages } = await publint({ pkgDir: folder, strict: true })
    for (const message of messages) console.error(`${manifest.name}: ${formatMessage(message, manifest)}`)
    if (messages.length > 0) process.exitCode = 1
  }
}

/** Tarballs by package name. */
const pack = (folder) =>
  Object.fromEntries(
    packages.map(({ folder: packageFolder, manifest }) => {
      const printed = run("pnpm", ["pack", "--json", "--pack-destination", folder], packageFolder)
      const { filename } = JSON.parse(printed)
      return [manifest.name, `file:${filename}`]
    }),
  )

const catalog = (name) => {
  const line = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
    .split("\n")
    .find((text) => text.trim().replaceAll('"', "").startsWith(`${name}: `))
  return line?.split(": ").at(-1) ?? fail(`the catalog has no ${name}`)
}

const install = (folder, tarballs) => {
  const peers = ["effect", "express", "hono", "@types/express", "vitest"]
  const dependencies = { ...Object.fromEntries(peers.map((name) => [name, catalog(name)])), ...tarballs }
  dependencies["@types/node"] = rootManifest.devDependencies["@types/node"]
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
    Object.keys(manifest.exports).map((path) => manifest.name + path.slice(1)),
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

const snippetsOf = (page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

/** The snippets of the pages that no test runs; README's first is the one that its others import as `./pix.js`. */
const snippets = () => ["README.md", "docs/events.md"].flatMap(snippetsOf)

const typeCheck = (folder, subpaths) => {
  snippets().forEach((code, at) => writeFileSync(join(folder, at === 0 ? "pix.ts" : `snippet${at}.ts`), code))
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
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  run(join(root, "node_modules", ".bin", "tsc"), ["-p", folder], folder)
}

const folder = mkdtempSync(join(tmpdir(), "pixcharge-packages-"))
try {
  await lint()
  install(folder, pack(folder))
  const subpaths = importAll(folder)
  typeCheck(folder, subpaths)
  console.log(`${packages.length} packages, ${subpaths.length} exports and ${snippets().length} snippets are good`)
} catch (error) {
  console.error(error.stdout?.toString() ?? "")
  fail(error.message)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
