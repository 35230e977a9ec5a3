import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root, startBank } from "@pixcharge/verify/world"
import { expect, it, onTestFinished } from "vitest"
import { openFolder } from "./openFolder.ts"

const readCommands = (): string => {
  const page = readFileSync(join(root, "docs/first-real-payment.md"), "utf8")
  const [, commands = ""] = /^### From another language\n[^]*?^```sh\n([^]*?)^```$/m.exec(page) ?? []
  return commands
}

it("issues, pays and lists by the curl commands of docs/first-real-payment.md", { tags: ["curl"] }, async () => {
  const folder = openFolder()
  const bank = await startBank(["--dir", "certs"], { cwd: folder })
  onTestFinished(async () => void (await bank.end()))
  const printed = Object.fromEntries(
    [...bank.printed.matchAll(/^(PIX_KEY|PSP_\w+)=(.+)$/gm)].map(([, ...pair]) => pair),
  )
  const commands = readCommands().replace("http://127.0.0.1:8444", bank.controlUrl)
  expect(commands).toContain(`${bank.controlUrl}/pay`)
  const env = { PATH: process.env["PATH"] ?? "", ...printed }
  const { stdout, stderr, status } = spawnSync("bash", ["-euo", "pipefail", "-c", commands], {
    cwd: folder,
    env,
    encoding: "utf8",
  })
  expect(status, stderr).toBe(0)
  const [issued = "", listed = ""] = stdout.split(/\{\n[^]*?\n\}\n/)
  expect(JSON.parse(issued)).toMatchObject({ status: "ATIVA", valor: { original: "1.00" } })
  const { txid } = JSON.parse(issued) as { readonly txid: string }
  expect(JSON.parse(listed)).toMatchObject({ pix: [{ txid, valor: "1.00" }] })
})
