import { execFile } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { root } from "../pack.mjs"

const execute = promisify(execFile)

/** Runs a command to its end; rejects with what it printed. */
export const run = async (command, args, cwd) => {
  // A build must tell nobody of it.
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" }
  try {
    return (await execute(command, args, { cwd, env, maxBuffer: 64 * 1_024 * 1_024 })).stdout
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`, { cause: error })
  }
}

export const readJson = (path) => JSON.parse(readFileSync(path, "utf8"))

/** Installs what a folder's package.json names; packages in `overrides` come from there, wherever they are needed. */
export const install = async (folder, overrides = {}) => {
  const lines = Object.entries(overrides).map(([name, from]) => `  "${name}": "${from}"`)
  const settings = ["packages: []", "strictDepBuilds: false", ...(lines.length > 0 ? ["overrides:", ...lines] : []), ""]
  writeFileSync(join(folder, "pnpm-workspace.yaml"), settings.join("\n"))
  await run("pnpm", ["install", "--prefer-offline", "--ignore-scripts"], folder)
}

/** Copies a project of `hosts/`, with the file that its hosts share, installs it and builds it. */
export const prepare = async ({ folder, pix, overrides = {}, build = "build" }, to, tarballs) => {
  cpSync(join(root, "hosts", folder), to, { recursive: true })
  if (pix !== undefined) {
    mkdirSync(dirname(join(to, pix)), { recursive: true })
    copyFileSync(join(root, "hosts/pix.ts"), join(to, pix))
  }
  await install(to, { ...tarballs, ...overrides })
  const { scripts } = readJson(join(to, "package.json"))
  if (scripts?.[build] !== undefined) await run("pnpm", ["run", build], to)
}
