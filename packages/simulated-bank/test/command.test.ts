import { spawnSync } from "node:child_process"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { bankWays } from "@pixcharge/simulated-bank"
import { root, startBank } from "@pixcharge/verify/world"
import { describe, expect, it, onTestFinished } from "vitest"
import { readArguments } from "../src/bin/readArguments.ts"
import { openFolder } from "./openFolder.ts"

describe("the arguments of pixcharge-bank", () => {
  it("defaults to a bank that follows the standard exactly", () => {
    expect(readArguments([])).toEqual({ psp: "standard", dir: "pixcharge-bank", port: 8443, help: false })
  })

  it("reads a known bank, a folder and a port from the arguments", () => {
    for (const psp of Object.keys(bankWays)) {
      const args = ["--psp", psp, "--dir=certs", "--port", "0"]
      expect(readArguments(args)).toEqual({ psp, dir: "certs", port: 0, help: false })
    }
  })

  it.each([
    [["--psp", "itaú"], /^there is no bank "itaú" \(did you mean itau\?\): --psp takes standard, .*sicredi; any other/],
    [["--psp", "banco-do-brasil"], "did you mean bancoDoBrasil?"],
    [["--psp", "toString"], 'there is no bank "toString"'],
    [["--psp"], "Option '--psp <value>' argument missing\nThe options are in --help."],
    [["--psp", "--port", "1"], "Option '--psp' argument is ambiguous"],
    [["--ports", "1"], "Unknown option '--ports'"],
    [["-p", "1"], "Unknown option '-p'"],
    [["--toString"], "Unknown option '--toString'"],
    [["itau"], "a bank is named by --psp: --psp itau"],
    [["start"], '"start" belongs to no option: see --help'],
    [["--port", "http"], "--port takes a number from 0 to 65534, not http"],
    [["--port", "65535"], "--port takes a number from 0 to 65534"],
    [["--port=-1"], "--port takes a number from 0 to 65534"],
    [["--help=yes"], "'-h, --help' does not take an argument"],
  ])("rejects %j with a correction", (args, message) => {
    expect(() => readArguments(args)).toThrow(message)
  })
})

describe("pixcharge-bank", () => {
  const bin = join(root, "packages/simulated-bank/dist/bin/pixcharge-bank.js")
  const run = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" })

  it("shows its options, the banks and the commands for --help", () => {
    const { status, stdout } = run("--help")
    expect(status).toBe(0)
    for (const word of [
      ...Object.keys(bankWays),
      "--psp",
      "--port",
      "--dir",
      "/pay",
      "/refund",
      "/down",
      "/slow",
      "/up",
      "/approve",
      "/decline",
      "/cancel",
      "/expire",
      "/maximum",
      "/balance",
      "/day",
    ]) {
      expect(stdout).toContain(word)
    }
  })

  it("ends with 1 and one line if it can't start", () => {
    const { status, stdout, stderr } = run("--psp", "itaus")
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" })
    expect(stderr).toMatch(/^there is no bank "itaus" \(did you mean itau\?\).*\n$/)
  })

  it.each([0, 1])("reports that port `--port` + %i is in use", async (after) => {
    const other = createServer().listen(0, "127.0.0.1")
    onTestFinished(() => void other.close())
    await once(other, "listening")
    const { port } = other.address() as AddressInfo
    const { status, stderr } = run("--port", String(port - after), "--dir", openFolder())
    expect(status).toBe(1)
    // Another program can use `port - after`.
    const message = /^port (\d+) is in use: stop the program that listens there, or name another by --port\n$/.exec(
      stderr,
    )
    expect([port, port - after]).toContain(Number(message?.[1]))
  })

  it.each(["SIGINT", "SIGTERM"] as const)("ends with 0 on %s, even during a slow answer", async (signal) => {
    const bank = await startBank(["--dir", openFolder()])
    await bank.command("slow?seconds=600")
    expect(await bank.end(signal)).toBe(0)
  })
})
