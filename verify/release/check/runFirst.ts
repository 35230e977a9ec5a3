import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"
import { run } from "../../world/run.ts"
import { firstInstalled, runInstall } from "../installLine.ts"
import { snippetsIn } from "../snippetsIn.ts"

/** Checks that README's first program, installed from the tarballs, prints what README shows. */
export const runFirst = async (folder: string, tarballs: Readonly<Record<string, string>>): Promise<void> => {
  await runInstall(folder, firstInstalled(), new Map(Object.entries(tarballs)))
  writeFileSync(join(folder, "first.mjs"), snippetsIn("README.md")[0]?.code ?? "")
  const [, shown = ""] = /^```text\n(.*?)\n```$/ms.exec(readFileSync(join(root, "README.md"), "utf8")) ?? []
  const printed = await run("node", ["first.mjs"], folder)
  const isShown = new RegExp(`^${shown.replaceAll("...", "\\w.*")}$`).test(printed)
  if (!isShown) throw new Error(`README's first program prints\n${printed}\nand README shows\n${shown}`)
}
