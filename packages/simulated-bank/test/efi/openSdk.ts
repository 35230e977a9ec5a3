import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { bankWays, startSimulatedBank } from "@pixcharge/simulated-bank"
import { makeAuthority } from "@pixcharge/verify/world"
import { onTestFinished } from "vitest"
import { openFolder } from "../openFolder.ts"
import { shop } from "../recurring/openBank.ts"
import { openTunnel } from "./openTunnel.ts"

/** What a call of the SDK came to. */
export interface Came {
  // oxlint-disable-next-line typescript/no-explicit-any -- the SDK's schemas judge it
  readonly answer?: any
  readonly refusal?: unknown
}

const hosts = { api: "pix-h.api.efipay.com.br", token: "pix-h.api.efipay.com.br" }

/** A bank in Efí's ways over mutual TLS, under its own name. Tests move its clock, by which the SDK's token doesn't end. */
const openEfi = async (now: () => number) => {
  const { ca, forClient, forServer } = await makeAuthority()
  const tls = { ...(await forServer([hosts.api])), ca }
  const ways = { ...bankWays.efi.sandbox, hosts, tokenLifetimeSeconds: 31_536_000 }
  const bank = await startSimulatedBank({ accounts: [shop], tls, ways, now })
  return { bank, ca, client: await forClient(shop.clientId) }
}

/** A host that takes every webhook. */
const openHost = async () => {
  const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

/** Efí's SDK, unchanged and in a process of its own, at a bank that has Efí's name, certificate and ways. */
export const openSdk = async (now: () => number = Date.now) => {
  const { bank, ca, client } = await openEfi(now)
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
  const child = spawn(process.execPath, [join(import.meta.dirname, "client.mjs")], { env })
  let complaints = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  onTestFinished(async () => {
    child.stdin.end()
    await once(child, "close")
    tunnel.close()
    await bank.close()
  })
  const call = async (method: string, ...args: ReadonlyArray<unknown>): Promise<Came> => {
    child.stdin.write(`${JSON.stringify({ method, args })}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`the SDK ended: ${complaints}`)
    return JSON.parse(value) as Came
  }
  return { bank, call, webhookUrl: await openHost() }
}
