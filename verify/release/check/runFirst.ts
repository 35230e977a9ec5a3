import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "../../world/freePort.ts"
import { root } from "../../world/root.ts"
import { firstInstalled, runInstall } from "../installLine.ts"
import { snippetsIn } from "../snippetsIn.ts"

const startLimitMs = 60_000
const printLimitMs = 60_000

const openPage = async (url: string): Promise<string> => {
  const until = Date.now() + startLimitMs
  for (;;) {
    try {
      const response = await fetch(url)
      if (response.ok) return await response.text()
      throw new Error(`README's first program answers ${response.status} to ${url}`)
    } catch (error) {
      if (!(error instanceof TypeError) || Date.now() > until) throw error
    }
    await new Promise((resume) => setTimeout(resume, 200))
  }
}

export const runFirst = async (folder: string, tarballs: Readonly<Record<string, string>>): Promise<void> => {
  await runInstall(folder, firstInstalled(), new Map(Object.entries(tarballs)))
  const port = await freePort()
  const program = snippetsIn("README.md")[0]?.code ?? ""
  writeFileSync(join(folder, "first.mjs"), program.replaceAll("3000", `${port}`).replace("10_000", "100"))
  const [, shown = ""] = /^```text\n(.*?)\n```$/ms.exec(readFileSync(join(root, "README.md"), "utf8")) ?? []
  const child = spawn(process.execPath, ["first.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  try {
    const printed = once(createInterface(child.stdout), "line", { signal: AbortSignal.timeout(printLimitMs) })
    // A failure before the `await` below is reported by it, not as an unhandled rejection.
    printed.catch(() => {})
    const page = await openPage(`http://127.0.0.1:${port}/buy`)
    if (!page.includes("Minha Loja")) throw new Error(`README's first program shows no payer's page:\n${page}`)
    const line = String((await printed)[0])
    const isShown = new RegExp(`^${shown.replaceAll("...", "\\w.*")}$`).test(line)
    if (!isShown) throw new Error(`README's first program prints\n${line}\nbut README shows\n${shown}`)
  } finally {
    child.kill("SIGKILL")
  }
}
