import { createSocket, type Socket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import { afterEach, describe, expect, it } from "vitest"
import { makeResolveHost } from "../src/resolveHost.ts"

const servers: Array<Socket> = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

const typeA = 1
const typeAAAA = 28

/** A name server's answer to a question of one type: a response code, and addresses as bytes. */
interface Saying {
  readonly code: number
  readonly addresses?: ReadonlyArray<ReadonlyArray<number>>
}

/** A resolver that queries only a name server of the test on 127.0.0.1. */
const makeResolver = async (
  saying: (type: number) => Saying | undefined,
  { isSilent = false } = {},
): Promise<Resolver> => {
  const server = createSocket("udp4")
  servers.push(server)
  server.on("message", (query, { port, address }) => {
    // A query has a header, the labels of the name up to an empty label, the type and the class.
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4)
    const reply = saying(type)
    if (reply === undefined) return
    const { code, addresses = [] } = reply
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 + code, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const records = addresses.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    )
    server.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve))
  // The time-out is short only for a silent server, so that answers come in time on any machine.
  const resolver = new Resolver({ ...(isSilent && { timeout: 200 }), tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  return resolver
}

const noError = 0
const serverFailure = 2
const noSuchName = 3
const refused = 5

const public4 = [8, 8, 8, 8]
const public6 = [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]

/** A name that every operating system reads as 127.0.0.1, and DNS as a name. */
const systemName = "127.1"

describe("resolveHost", () => {
  it("finds every address of both kinds", async () => {
    const resolver = await makeResolver((type) => ({ code: noError, addresses: [type === typeA ? public4 : public6] }))
    expect(await makeResolveHost(resolver)("receiver.example")).toEqual(["8.8.8.8", "2606:4700:4700::1111"])
  })

  it.each([
    ["has no address", { code: noError }],
    ["is unknown", { code: noSuchName }],
    ["can't be looked up", { code: serverFailure }],
  ])("accepts addresses of one kind if the other kind %s", async (_, other) => {
    for (const known of [typeA, typeAAAA]) {
      const resolver = await makeResolver((type) =>
        type === known ? { code: noError, addresses: [known === typeA ? public4 : public6] } : other,
      )
      expect(await makeResolveHost(resolver)("receiver.example")).toHaveLength(1)
    }
  })

  it.each([
    ["knows no such name", noSuchName],
    ["knows no address", noError],
  ])("asks the operating system if DNS %s", async (_, code) => {
    const resolver = await makeResolver(() => ({ code }))
    expect(await makeResolveHost(resolver)(systemName)).toEqual(["127.0.0.1"])
  })

  it("asks only the operating system about localhost", async () => {
    let questions = 0
    const resolver = await makeResolver(() => {
      questions++
      return { code: noError, addresses: [public4] }
    })
    for (const address of await makeResolveHost(resolver)("localhost")) expect(["127.0.0.1", "::1"]).toContain(address)
    expect(questions).toBe(0)
  })

  it.each<[string, Saying | undefined, string]>([
    ["fails", { code: serverFailure }, "ESERVFAIL"],
    ["refuses", { code: refused }, "EREFUSED"],
    ["is silent", undefined, "ETIMEOUT"],
  ])("doesn't ask the operating system while the name server %s", async (_, saying, code) => {
    for (const failing of [[typeA, typeAAAA], [typeA], [typeAAAA]]) {
      const isSilent = saying === undefined
      const resolver = await makeResolver((type) => (failing.includes(type) ? saying : { code: noSuchName }), {
        isSilent,
      })
      await expect(makeResolveHost(resolver)(systemName)).rejects.toMatchObject({ code })
    }
  })

  it("doesn't ask the operating system without a name server", async () => {
    const resolver = await makeResolver(() => undefined)
    for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()))
    await expect(makeResolveHost(resolver)(systemName)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })
})
