import { X509Certificate } from "node:crypto"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeAuthority } from "@pixcharge/verify/world"
import { expect, it, onTestFinished, vi } from "vitest"
import { openCertificates } from "../src/bin/openCertificates.ts"
import { openFolder } from "./openFolder.ts"

const files = ["bank-ca.pem", "bank.key", "bank.pem", "client.key", "client.pem"]

const read = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]))

it("writes certificates of a new authority into a new folder, with keys that only their owner can read", async () => {
  const folder = join(openFolder(), "of", "a", "bank")
  expect(await openCertificates(folder, "minha-loja")).toEqual(read(folder))
  const [authority, bank, client] = ["bank-ca.pem", "bank.pem", "client.pem"].map(
    (name) => new X509Certificate(readFileSync(join(folder, name))),
  )
  expect([bank, client].map((one) => authority && one?.verify(authority.publicKey))).toEqual([true, true])
  expect(bank?.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1")
  expect(client?.subject).toBe("CN=minha-loja")
  expect(["bank.key", "client.key"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600])
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("*\n")
})

it("keeps the certificates of an earlier start", async () => {
  const folder = openFolder()
  const made = await openCertificates(folder, "minha-loja")
  expect(await openCertificates(folder, "minha-loja")).toEqual(made)
})

it("replaces certificates that end within a month", async () => {
  const folder = openFolder()
  const made = await openCertificates(folder, "minha-loja")
  onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ now: Date.now() + 340 * 86_400_000, toFake: ["Date"] })
  const renewed = await openCertificates(folder, "minha-loja")
  expect(renewed).toEqual(read(folder))
  expect(files.filter((name) => renewed[name as "bank.key"] === made[name as "bank.key"])).toEqual([])
})

it("keeps other files of an existing folder", async () => {
  const folder = openFolder()
  writeFileSync(join(folder, "notes.txt"), "mine")
  await openCertificates(folder, "minha-loja")
  expect(readdirSync(folder).toSorted()).toEqual([...files, "notes.txt"].toSorted())
})

it("rejects a folder with foreign files, and leaves the files unchanged", async () => {
  const { ca, forClient } = await makeAuthority()
  const { cert, key } = await forClient("minha-loja")
  const foreign = { "bank-ca.pem": ca, "bank.pem": cert, "bank.key": key, "client.pem": cert, "client.key": key }
  for (const names of [["client.pem"], ["client.key"], files]) {
    const folder = openFolder()
    for (const name of names) writeFileSync(join(folder, name), foreign[name as keyof typeof foreign])
    await expect(openCertificates(folder, "minha-loja")).rejects.toThrow(
      "files from elsewhere, or only some of the simulated bank's",
    )
    expect(readdirSync(folder).toSorted()).toEqual(names)
    for (const name of names)
      expect(readFileSync(join(folder, name), "utf8")).toBe(foreign[name as keyof typeof foreign])
  }
})

it("rejects a foreign certificate among the bank's files, and leaves it and its key unchanged", async () => {
  const folder = openFolder()
  await openCertificates(folder, "minha-loja")
  const { cert, key } = await (await makeAuthority()).forClient("minha-loja")
  writeFileSync(join(folder, "client.pem"), cert)
  writeFileSync(join(folder, "client.key"), key)
  await expect(openCertificates(folder, "minha-loja")).rejects.toThrow(
    "Name another folder by --dir, or move them away",
  )
  expect(readFileSync(join(folder, "client.pem"), "utf8")).toBe(cert)
})

it("names a folder that can't be made in the error, with a remedy", async () => {
  const folder = join(openFolder(), "file")
  writeFileSync(folder, "")
  await expect(openCertificates(folder, "minha-loja")).rejects.toThrow(
    /can't be used \(EEXIST\): name another by --dir/,
  )
})
