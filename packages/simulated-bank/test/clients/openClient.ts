import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type BankWays, startSimulatedBank } from "@pixcharge/simulated-bank"
import { makeAuthority } from "@pixcharge/verify/world"
import { onTestFinished } from "vitest"
import { openFolder } from "../openFolder.ts"
import { shop } from "../recurring/openBank.ts"
import { openTunnel } from "./openTunnel.ts"

export interface CallResult {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test's schemas judge it
  readonly answer?: any
  readonly refusal?: unknown
}

/** A bank under a real bank's host name, over mutual TLS. Tests move its clock, which doesn't expire a client's token. */
const openBank = async (host: string, ways: Partial<BankWays>, now: () => number) => {
  const { ca, forClient, forServer } = await makeAuthority()
  const tls = { ...(await forServer([host])), ca }
  const named = { ...ways, hosts: { api: host, token: host }, tokenLifetimeSeconds: 31_536_000 }
  const bank = await startSimulatedBank({ accounts: [shop], tls, ways: named, now })
  return { bank, ca, client: await forClient(shop.clientId) }
}

const openHost = async () => {
  const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

interface Setting {
  readonly program: string
  readonly host: string
  readonly ways: Partial<BankWays>
  readonly now?: () => number
}

/** An unchanged third-party client in a separate process, at a bank with the host name and ways that the client expects. */
export const openClient = async ({ program, host, ways, now = Date.now }: Setting) => {
  const { bank, ca, client } = await openBank(host, ways, now)
  const tunnel = await openTunnel(Number(new URL(bank.baseUrl).port))
  const folder = openFolder()
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const env = {
    PATH: process.env["PATH"] ?? "",
    https_proxy: tunnel.url,
    NODE_EXTRA_CA_CERTS: write("ca.pem", ca),
    CERT: write("client.pem", client.cert),
    KEY: write("client.key", client.key),
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], { env })
  let complaints = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  onTestFinished(async () => {
    child.stdin.end()
    await once(child, "close")
    tunnel.close()
    await bank.close()
  })
  const call = async (method: string, ...args: ReadonlyArray<unknown>): Promise<CallResult> => {
    child.stdin.write(`${JSON.stringify({ method, args })}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`the client ended: ${complaints}`)
    return JSON.parse(value) as CallResult
  }
  return { bank, call, webhookUrl: await openHost() }
}
