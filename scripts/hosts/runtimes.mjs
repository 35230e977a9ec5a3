import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { install } from "./workspace.mjs"

const { platform, arch } = process
const bunArch = arch === "arm64" ? "aarch64" : arch
const node = (major) => ({
  from: `npm:node-${platform}-${arch}@${major}`,
  binary: "bin/node",
  args: [],
})

/** The packages that have the binary of each runtime, and how it is told what to run. */
const runtimes = {
  "Node 20": node(20),
  "Node 22": node(22),
  "Node 24": node(24),
  "Node 26": node(26),
  "Bun 1": { from: `npm:@oven/bun-${platform}-${bunArch}@1`, binary: "bin/bun", args: [] },
  "Deno 2": {
    from: `npm:@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}@2`,
    binary: "deno",
    args: ["run", "--allow-all", "--node-modules-dir=manual"],
  },
}

/** Installs these runtimes; answers with the command of each. */
export const installRuntimes = async (names, folder) => {
  const id = (name) => name.toLowerCase().replace(" ", "")
  const dependencies = Object.fromEntries(names.map((name) => [id(name), runtimes[name].from]))
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }))
  await install(folder)
  return Object.fromEntries(
    names.map((name) => [
      name,
      [join(folder, "node_modules", id(name), runtimes[name].binary), ...runtimes[name].args],
    ]),
  )
}
