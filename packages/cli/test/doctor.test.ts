import { reshaping, startSimulatedBank } from "@pixcharge/simulated-bank"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { checkEffect, checkNode } from "../src/doctor/checks.ts"
import { runDoctor } from "../src/doctor/runDoctor.ts"

const host = (name: string): string => join(import.meta.dirname, "doctor", `${name}.mjs`)

const doctor = async (name: string, ...args: ReadonlyArray<string>) => {
  const { text, isSound } = await runDoctor([host(name), "--json", ...args])
  const { ok, findings } = JSON.parse(text) as {
    readonly ok: boolean
    readonly findings: ReadonlyArray<{ readonly check: string; readonly status: string; readonly message: string }>
  }
  expect(ok).toBe(isSound)
  return { ok, findings, of: (check: string) => findings.find((finding) => finding.check.startsWith(check)) }
}

/** Starts a receiver that answers this status. Returns its URL, and the methods of its requests. */
const listen = async (status: number) => {
  const calls: Array<string | undefined> = []
  const server = createServer(({ method }, response) => {
    calls.push(method)
    response.writeHead(status).end()
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  onTestFinished(() => void close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/secret/path`, calls, close }
}

describe("pixcharge doctor", () => {
  it.each(["pix", "optionsAlone"])("finds no flaw in a sound host: %s", async (name) => {
    const { ok, findings } = await doctor(name)
    expect(ok).toBe(true)
    expect(findings.map(({ check, status }) => `${check}: ${status}`)).toEqual([
      "node: ok",
      "effect: ok",
      "module: ok",
      "secrets: ok",
      "receiver: skipped",
    ])
    expect(findings.slice(2).map(({ message }) => message)).toEqual([
      "it exports a pix with valid options",
      "the secrets of tokens are long enough",
      "--receiver <url> sends one HEAD request to the receiver of events",
    ])
  })

  it("prints a line for each finding", async () => {
    const { text } = await runDoctor([host("pix")])
    expect(text.split("\n")).toHaveLength(5)
    expect(text).toMatch(/^ok {7}node {6}Node /)
  })

  it.each([
    ["mistaken", '"directory"'],
    ["shortSecret", "tokens.keys"],
    ["forgetful", 'the option "store" must keep its records in production'],
    ["deaf", 'the option "notices" must be apiPix(...).notices if apiPix has noticeSecrets'],
    ["nothing", "neither what createPix returns nor its options: write export const pix = createPix(...)"],
    ["noSuchFile", "noSuchFile.mjs: build it, or correct the path"],
  ])("names the flaw of the module %s", async (name, message) => {
    const { ok, of } = await doctor(name)
    expect(ok).toBe(false)
    expect(of("module")).toMatchObject({ status: "failed", message: expect.stringContaining(message) })
  })

  it.each([
    [204, "ok", "it answers (HTTP 204)"],
    [299, "ok", "it answers (HTTP 299)"],
    [300, "failed", "it redirects (HTTP 300): register the URL that it redirects to"],
    [399, "failed", "it redirects (HTTP 399): register the URL that it redirects to"],
    [400, "ok", "it answers (HTTP 400)"],
    [499, "ok", "it answers (HTTP 499)"],
    [500, "failed", "it fails (HTTP 500): see its log"],
  ])("reports a receiver that answers a HEAD request with %i as %s", async (status, verdict, message) => {
    const { url, calls } = await listen(status)
    const { of } = await doctor("pix", "--receiver", url)
    expect(of("receiver")).toEqual({ check: `receiver ${new URL(url).origin}`, status: verdict, message })
    expect(calls).toEqual(["HEAD"])
    expect(JSON.stringify(of("receiver"))).not.toContain("secret")
  })

  it("reports an address without a receiver, and an invalid address", async () => {
    const { url, close } = await listen(204)
    await close()
    const { findings } = await doctor("pix", "--receiver", url, "--receiver", "no URL")
    const messages = findings.filter(({ status }) => status === "failed").map(({ message }) => message)
    expect(messages).toEqual([
      "no answer (ECONNREFUSED): check name, port, firewall and certificate",
      "--receiver needs a URL",
    ])
  })

  it.each([
    [[], "doctor needs one module"],
    [["a.js", "b.js"], "doctor needs one module"],
    [["a.js", "--unknown"], "Unknown option '--unknown'"],
    [["a.js", "--json=yes"], "Option '--json' does not take an argument"],
  ])("refuses %j with its usage", async (args, why) => {
    await expect(runDoctor(args)).rejects.toThrow(why)
    await expect(runDoctor(args)).rejects.toThrow("npx @pixcharge/cli doctor <module>")
  })

  it.each(["--help", "-h"])("prints its usage for %s", async (flag) => {
    const { text, isSound } = await runDoctor([flag])
    expect(isSound).toBe(true)
    expect(text).toContain("npx @pixcharge/cli doctor <module>")
  })

  it("makes a pix from options with the host's installed createPix", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pixcharge-doctor-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const embed = join(folder, "node_modules/@pixcharge/embed")
    mkdirSync(embed, { recursive: true })
    const pix = '{ diagnose: async () => [{ check: "installed", status: "ok", message: environment }], dispose() {} }'
    writeFileSync(join(embed, "index.js"), `exports.createPix = ({ environment }) => (${pix})`)
    const module = join(folder, "options.mjs")
    writeFileSync(module, 'export const options = { store: {}, processor: {}, environment: "sandbox" }')
    const { text } = await runDoctor([module])
    expect(text).toMatch(/^ok {7}installed {2}sandbox$/m)
  })

  it("reads companies from its arguments, with or without a key, even if a key contains an equals sign", async () => {
    const calls: Array<unknown> = []
    const module = join(mkdtempSync(join(tmpdir(), "pixcharge-doctor-")), "pix.mjs")
    onTestFinished(() => rmSync(join(module, ".."), { recursive: true }))
    Object.assign(globalThis, { diagnosed: calls })
    writeFileSync(
      module,
      "export const pix = { diagnose: async (order) => (globalThis.diagnosed.push(order), []), respond: () => undefined }",
    )
    await runDoctor([module, "--company", "1=a=b", "--company", "2"])
    Reflect.deleteProperty(globalThis, "diagnosed")
    expect(calls).toEqual([{ companies: { 1: "a=b", 2: undefined } }])
  })
})

describe("the platform", () => {
  it.each([
    ["20.19.0", "ok"],
    ["20.20.0", "ok"],
    ["22.1.0", "ok"],
    ["20.18.3", "failed"],
    ["18.20.0", "failed"],
  ])("reports Node %s as %s", (version, status) => {
    const message = status === "ok" ? `Node ${version}` : `Node ${version} is too old: install 20.19 or newer`
    expect(checkNode(version)).toEqual({ check: "node", status, message })
  })

  /** Makes a folder with a copy of Effect for the host, and another below one of our packages. */
  const installed = (own?: string, ours?: string): string => {
    const folder = mkdtempSync(join(tmpdir(), "pixcharge-doctor-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const put = (place: string, version: string) => {
      mkdirSync(join(folder, place), { recursive: true })
      writeFileSync(join(folder, place, "package.json"), JSON.stringify({ version }))
    }
    if (own !== undefined) put("node_modules/effect", own)
    put("store/core", "1.0.0")
    mkdirSync(join(folder, "node_modules/@pixcharge"), { recursive: true })
    symlinkSync(join(folder, "store/core"), join(folder, "node_modules/@pixcharge/core"))
    if (ours !== undefined) put("store/core/node_modules/effect", ours)
    return folder
  }

  it.each([
    ["4.1.0", undefined, "ok", "effect 4.1.0, one copy"],
    ["4.2.0", "4.1.0", "failed", "found 2 copies (4.2.0 and 4.1.0): npm dedupe, or pin one version"],
    ["3.19.0", undefined, "failed", "effect 3.19.0 doesn't fit: npm install effect@^4.1.0"],
    ["5.0.0", undefined, "failed", "effect 5.0.0 doesn't fit: npm install effect@^4.1.0"],
    ["40.1.0", undefined, "failed", "effect 40.1.0 doesn't fit: npm install effect@^4.1.0"],
    ["4.0.9", undefined, "failed", "effect 4.0.9 doesn't fit: npm install effect@^4.1.0"],
    [undefined, undefined, "failed", "it isn't installed: npm install effect"],
  ])("reports effect %s for the host and %s for our packages as %s", (own, ours, status, message) => {
    const finding = checkEffect(installed(own, ours))
    expect(finding).toEqual({ check: "effect", status, message })
  })
})

describe("pixcharge doctor --bank", () => {
  const cnpj = "12345678000195"
  const key = "loja@example.com"

  const openBank = async (stage: string) => {
    const bank = await startSimulatedBank({
      accounts: [{ cnpj, name: "Loja", pixKeys: [key], clientId: "client", clientSecret: "secret" }],
      ways: { reshape: reshaping.onlyFor(["PUT cob", "GET cob"], reshaping.rename({ pixCopiaECola: "emv" })) },
    })
    vi.stubEnv("WALKED_BANK", bank.baseUrl)
    vi.stubEnv("WALKED_STAGE", stage)
    vi.resetModules()
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await bank.close()
    })
    return bank
  }
  const walk = (...args: ReadonlyArray<string>) => runDoctor([host("bank"), "--bank", ...args])

  it.each([
    [["--company", cnpj], "--bank needs --company <cnpj>=<key> of a company"],
    [["--company", `${cnpj}=${key}`, "--wait", "soon"], "--wait needs a number of seconds"],
    [["--company", `${cnpj}=${key}`, "--webhook", "http://shop.example"], "--webhook needs an https URL"],
  ])("names the requirement that %j breaks", async (args, why) => {
    await expect(walk(...args)).rejects.toThrow(why)
  })

  it("prints a patch for a bank's sandbox that differs from its profile, and leaves no charge open", async () => {
    const bank = await openBank("sandbox")
    const { text, isSound } = await walk("--company", `${cnpj}=${key}`, "--wait", "0")
    expect(isSound).toBe(false)
    expect(text).toContain("the bank differs in codeFields: put the patch over the profile, and send it to us")
    expect(JSON.parse(text.slice(text.indexOf("{")))).toEqual({ codeFields: ["emv"] })
    expect([...bank.ledger.charges.values()].map(({ status }) => status)).toEqual(["removed", "removed"])
  })

  it("makes no charge in production", async () => {
    const bank = await openBank("production")
    const { text, isSound } = await walk("--company", `${cnpj}=${key}`, "--wait", "0")
    expect([isSound, bank.ledger.charges.size]).toEqual([false, 0])
    expect(text).toContain("its connection is to production: give stage")
  })
})
