import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { request } from "node:https"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { bankWays } from "@pixcharge/simulated-bank"
import { type BankProcess, makeAuthority, startBank } from "@pixcharge/verify/world"
import { describe, expect, it, onTestFinished } from "vitest"
import { openFolder } from "./openFolder.ts"

const cnpj = "12345678000195"
const pixKey = "a2c4e6f8-1234-4abc-8def-0123456789ab"

const open = async (folder: string, psp = "standard", env: NodeJS.ProcessEnv = {}): Promise<BankProcess> => {
  const bank = await startBank(["--psp", psp, "--dir", "certs"], { cwd: folder, env })
  onTestFinished(async () => void (await bank.end()))
  return bank
}

const writeModule = (folder: string, { printed }: BankProcess): Record<string, string> => {
  const [, code = ""] = /^(import .*?^\}\)\n)/ms.exec(printed) ?? []
  const file = join(folder, "bank.mjs")
  writeFileSync(file, code)
  return { PATH: process.env["PATH"] ?? "", BANK_MODULE: file, CNPJ: cnpj, PIX_KEY: pixKey }
}

const host = (name: string): string => join(import.meta.dirname, "host", name)

/** Runs the host until it ends. The payer pays once, by a command at the bank's port for commands. */
const runHost = async (bank: BankProcess, env: Record<string, string>) => {
  const child = spawn(process.execPath, [host("main.mjs")], { env, timeout: 100_000 })
  const ended = once(child, "close")
  let complaints = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text))
  const messages: Array<unknown> = []
  for await (const line of createInterface(child.stdout)) {
    messages.push(line)
    if (line === "issued") messages.push(await bank.command("pay"))
  }
  const [exitCode] = (await ended) as [number | null]
  return { exitCode, messages, complaints }
}

const paid = expect.objectContaining({ amountCents: 1, returnedCents: 0, webhook: "HTTP 200" })
const diagnosis = ["secrets", "notice secrets", `bank of ${cnpj}`, `webhook of ${cnpj}`].map((check) => `${check} ok`)
const wholePayment = { exitCode: 0, complaints: "", messages: ["issued", paid, "paid", "refunded", ...diagnosis] }

/**
 * Banks whose settings differ: a webhook without a check of certificates, an application key, a certificate instead of a secret.
 * The tests of the pages about real money cover "standard" and the doctor's checks of it.
 */
const inTheGate = new Set(["efi", "itau", "sicoob"])

for (const psp of Object.keys(bankWays)) {
  describe(
    `a host with the printed settings of the bank "${psp}"`,
    { tags: inTheGate.has(psp) ? [] : ["long"] },
    () => {
      it("issues a charge, records its payment, refunds it, and passes the doctor's checks", async () => {
        const folder = openFolder()
        const bank = await open(folder, psp)
        expect(await runHost(bank, writeModule(folder, bank))).toEqual(wholePayment)
        expect(await bank.show()).toMatchObject({ cnpj, pixKey, payments: [{ returnedCents: 1 }] })
      })
    },
  )
}

it("notifies a host whose webhook requires the bank's certificate", async () => {
  const folder = openFolder()
  const authority = await makeAuthority()
  const { cert, key } = await authority.forServer()
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const bank = await open(folder, "standard", { NODE_EXTRA_CA_CERTS: write("host-ca.pem", authority.ca) })
  const tls = { HOST_CERT: write("host.pem", cert), HOST_KEY: write("host.key", key) }
  const env = { ...writeModule(folder, bank), ...tls, BANK_CA: join(folder, "certs/bank-ca.pem") }
  expect(await runHost(bank, env)).toEqual(wholePayment)
})

it("refuses a client without a certificate of the bank's authority", async () => {
  const bank = await open(openFolder())
  const [, baseUrl = ""] = /^PSP_URL=(.*)$/m.exec(bank.printed) ?? []
  const stranger = await (await makeAuthority()).forClient("minha-loja")
  const call = (identity: object) =>
    new Promise((resolve, reject) => {
      const tokenRequest = request(`${baseUrl}/oauth/token`, { ...identity, method: "POST", rejectUnauthorized: false })
      tokenRequest.once("error", reject).once("response", resolve).end()
    })
  await expect(call({})).rejects.toMatchObject({ code: expect.stringMatching(/^(ERR_SSL|ECONNRESET)/) })
  await expect(call(stranger)).rejects.toMatchObject({ code: expect.stringMatching(/^(ERR_SSL|ECONNRESET)/) })
})
