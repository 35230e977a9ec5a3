import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { run } from "../../world/run.ts"
import { runInstall } from "../installLine.ts"

export const checkCommand = async (folder: string, tarballs: ReadonlyMap<string, string>): Promise<void> => {
  await runInstall(folder, ["@pixcharge/cli"], tarballs)
  const installed = readdirSync(join(folder, "node_modules"), { recursive: true, encoding: "utf8" })
  const others = installed.filter((path) => path.endsWith("package.json") && path !== "@pixcharge/cli/package.json")
  if (others.length > 0) throw new Error(`@pixcharge/cli brings ${others.join(", ")}`)
  await run("npx", ["@pixcharge/cli", "init", "--yes"], folder)
  if (!existsSync(join(folder, "src/pix.ts"))) throw new Error("pixcharge init writes no src/pix.ts")
}
