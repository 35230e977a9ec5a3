import { join } from "node:path"
import { install } from "../../release/install.ts"

const { platform, arch } = process

/** A runtime's package and its command to run a file. */
interface Runtime {
  readonly from: string
  readonly binary: string
  readonly args?: ReadonlyArray<string>
}

const node = (major: number): Runtime => ({ from: `npm:node-${platform}-${arch}@${major}`, binary: "bin/node" })

const runtimes: Readonly<Record<string, Runtime>> = {
  "Node 20": node(20),
  "Node 22": node(22),
  "Node 24": node(24),
  "Node 26": node(26),
  "Bun 1": { from: `npm:@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}@1`, binary: "bin/bun" },
  "Deno 2": {
    from: `npm:@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}@2`,
    binary: "deno",
    args: ["run", "--allow-all", "--node-modules-dir=manual"],
  },
}

const toId = (name: string): string => name.toLowerCase().replace(" ", "")

/** Installs these runtimes. Returns the command that runs a file for each. */
export const installRuntimes = async (
  names: ReadonlyArray<string>,
  folder: string,
): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const chosen = names.flatMap((name) => {
    const runtime = runtimes[name]
    return runtime === undefined ? [] : [{ name, ...runtime }]
  })
  await install(folder, Object.fromEntries(chosen.map(({ name, from }) => [toId(name), from])))
  return new Map(
    chosen.map(({ name, binary, args = [] }) => [name, [join(folder, "node_modules", toId(name), binary), ...args]]),
  )
}
