// @ts-check
// Installs the packages that an example host and the compiler need, but not the packages for tests. Usage in a
// script of pnpm: `node verify/install.mjs demonstration`.
import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

const canWrite = () => {
  try {
    accessSync(root, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const installed = existsSync(`${root}node_modules/.modules.yaml`)
if (!canWrite()) {
  // An installed and built tree can run from a read-only folder.
  if (installed) process.exit(0)
  console.error(
    `pixcharge is installed and built in ${root}, which can't be written to. Put it into a folder of your own.`,
  )
  process.exit(1)
}

// If everything is installed, everything is installed again, because pnpm would otherwise remove the rest. Only then
// the lockfile is checked, because that asks the registry about each package.
const isWhole = existsSync(`${root}node_modules/vitest`)
const some = [
  "--trust-lockfile",
  "--prod",
  "--filter-prod",
  ".",
  "--filter-prod",
  `@pixcharge-examples/${process.argv[2]}...`,
]
console.error("Installing what pixcharge needs.")
const { status, error } = spawnSync("pnpm", ["install", "--frozen-lockfile", ...(isWhole ? [] : some)], {
  stdio: "inherit",
  shell: process.platform === "win32",
})
if (error !== undefined) console.error(`pnpm doesn't run: ${error.message}`)
process.exit(status ?? 1)
