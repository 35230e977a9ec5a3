import { callbackFetch } from "@pixcharge/callback-fetch"
import { hostDirectory } from "@pixcharge/core"
import type { HostCompany } from "@pixcharge/core/directory"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPix, type SandboxOptions, type SandboxPix } from "../src/index.ts"

const cnpj = "12345678000195"
const [reseller, anotherReseller] = ["00000000000191", "11222333000181"]
const facts = { cnpj, name: "Loja", city: "Recife", pixKey: "loja@example.com", graceDays: 5 }
const leaked = "chave que vazou"
const fresh = "chave que ninguém viu"

const start = (directory: NonNullable<SandboxOptions["directory"]>): SandboxPix =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory,
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const tokenFor = async (pix: SandboxPix, key: string): Promise<string> => {
  const secret = Buffer.from(`${cnpj}|${key}`).toString("base64url")
  const answer = await pix.fetch(new Request(`http://localhost/api/token/${secret}`))
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { readonly data: string }
  return data
}

/** The status of a request with a token: 404 for an unknown charge if the token authenticates, 401 if it has ended. */
const statusUnder = async (pix: SandboxPix, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await pix.fetch(new Request(`http://localhost/api/pix/${randomUUID()}`, { headers }))).status
}

/** Gets a token with the leaked key, makes the change, and expects the token to have ended. */
const expectEnded = async (pix: SandboxPix, change: () => unknown): Promise<void> => {
  const token = await tokenFor(pix, leaked)
  expect(await statusUnder(pix, token)).toBe(404)
  await change()
  expect(await statusUnder(pix, token)).toBe(401)
  expect(await statusUnder(pix, await tokenFor(pix, fresh))).toBe(404)
}

const member = (of: string) => ({ ...facts, reseller: of })

describe("a token of a replaced key", () => {
  it("ends when the list in the host's code has another key after a restart", async () => {
    const list = (integratorKey: string) => memoryDirectory({ companies: [{ ...facts, integratorKey }] })
    await using before = start(list(leaked))
    await using after = start(list(fresh))
    const token = await tokenFor(before, leaked)
    expect(await statusUnder(before, token)).toBe(404)
    expect(await statusUnder(after, token)).toBe(401)
  })

  it("ends when the host's tables have another key", async () => {
    let row: HostCompany = { ...facts, integratorKey: leaked }
    const directory = hostDirectory({ companies: { find: async () => row, byPixKey: async () => row } })
    await using pix = start(directory)
    await expectEnded(pix, () => {
      row = { ...facts, integratorKey: fresh }
      directory.invalidate()
    })
  })

  it("ends when the company was removed and registered again with another key", async () => {
    let row: HostCompany | undefined = { ...facts, integratorKey: leaked }
    const directory = hostDirectory({ companies: { find: async () => row, byPixKey: async () => row } })
    await using pix = start(directory)
    await expectEnded(pix, () => {
      row = undefined
      directory.invalidate()
      row = { ...facts, integratorKey: fresh }
      directory.invalidate()
    })
  })

  it("ends when the reseller's key was replaced while the company wasn't associated", async () => {
    await using pix = start(
      memoryDirectory({
        resellers: [{ cnpj: reseller, name: "Revenda", integratorKey: leaked }],
        companies: [member(reseller)],
      }),
    )
    await expectEnded(pix, async () => {
      await pix.directory.setAssociated(cnpj, false)
      await pix.directory.rotateKey(reseller, fresh)
      await pix.directory.setAssociated(cnpj, true)
    })
  })

  it("ends when the company changed to another reseller, even with the same key", async () => {
    await using pix = start(
      memoryDirectory({
        resellers: [reseller, anotherReseller].map((of) => ({ cnpj: of, name: "Revenda", integratorKey: leaked })),
        companies: [member(reseller)],
      }),
    )
    const token = await tokenFor(pix, leaked)
    await pix.directory.putCompany(member(anotherReseller))
    expect(await statusUnder(pix, token)).toBe(401)
  })

  it.each<readonly [string, (pix: SandboxPix) => Promise<unknown>]>([
    ["the key was revoked", (pix) => pix.directory.revokeKey(cnpj)],
    ["the key was replaced", (pix) => pix.directory.rotateKey(cnpj, fresh)],
  ])("ends for good, even if the same key is registered again after %s", async (_, end) => {
    await using pix = start(memoryDirectory({ companies: [{ ...facts, integratorKey: leaked }] }))
    const token = await tokenFor(pix, leaked)
    await pix.directory.rotateKey(cnpj, leaked)
    expect(await statusUnder(pix, token)).toBe(404)
    await end(pix)
    expect(await statusUnder(pix, token)).toBe(401)
    await pix.directory.putCompany({ ...facts, integratorKey: leaked })
    expect(await statusUnder(pix, token)).toBe(401)
    expect(await statusUnder(pix, await tokenFor(pix, leaked))).toBe(404)
  })

  it("ends for good if the host's tables distinguish the registrations of a key", async () => {
    let row: HostCompany = { ...facts, integratorKey: leaked, keyRegistration: "1" }
    const directory = hostDirectory({ companies: { find: async () => row, byPixKey: async () => row } })
    await using pix = start(directory)
    const token = await tokenFor(pix, leaked)
    row = { ...row, keyRegistration: "2" }
    directory.invalidate()
    expect(await statusUnder(pix, token)).toBe(401)
    expect(await statusUnder(pix, await tokenFor(pix, leaked))).toBe(404)
  })
})
