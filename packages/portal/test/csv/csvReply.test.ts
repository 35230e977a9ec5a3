import { describe, expect, it } from "vitest"
import { csvReply } from "../../src/parts/csv.ts"

const openReader = async (reply: ReturnType<typeof csvReply>) =>
  ((await reply).body as ReadableStream<Uint8Array>).getReader()

const readText = async (reply: ReturnType<typeof csvReply>): Promise<string> => {
  const { body } = await reply
  const bytes = await new Response(body as ReadableStream<Uint8Array>).arrayBuffer()
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
}

function* numbered(count: number, read: (index: number) => void = () => undefined) {
  for (let index = 0; index < count; index++) {
    read(index)
    yield [`row ${index}`, index]
  }
}

describe("csvReply", () => {
  it("begins with the byte order mark that Excel needs, and the header", async () => {
    const reply = csvReply({ name: "day-2026-11-21", header: ["name", "cents"], rows: [["ação", 1]] })
    expect(await readText(reply)).toBe("\uFEFFname;cents\r\nação;1\r\n")
    expect((await reply).headers).toEqual({
      "cache-control": "no-store",
      "content-disposition": 'attachment; filename="day-2026-11-21.csv"',
      "content-type": "text/csv; charset=utf-8; header=present",
    })
  })

  it("contains only the header if there are no rows", async () => {
    expect(await readText(csvReply({ name: "a", header: ["name"], rows: [] }))).toBe("\uFEFFname\r\n")
  })

  it.each([499, 500, 501, 1_000])("contains each of %d rows once", async (count) => {
    const text = await readText(csvReply({ name: "a", header: ["name", "at"], rows: numbered(count) }))
    expect(text.split("\r\n").slice(1, -1)).toEqual(
      Array.from({ length: count }, (_, index) => `row ${index};${index}`),
    )
  })

  it("doesn't read rows faster than it sends them", async () => {
    let last = -1
    const rows = numbered(100_000, (index) => {
      last = index
    })
    const reader = await openReader(csvReply({ name: "a", header: ["name", "at"], rows }))
    await reader.read()
    expect(last).toBeLessThan(2_000)
    await reader.cancel()
  })

  it("pauses after each hundred rows for other work", async () => {
    let last = 0
    const rows = numbered(10_000, (index) => {
      last = index
    })
    const seen: Array<number> = [0]
    const look = () => {
      seen.push(last)
      if (last < 9_999) setImmediate(look)
    }
    setImmediate(look)
    await readText(csvReply({ name: "a", header: ["name", "at"], rows }))
    const steps = seen.slice(1).map((at, index) => at - (seen[index] ?? 0))
    expect(Math.max(...steps)).toBeLessThanOrEqual(100)
    expect(seen.at(-1)).toBe(9_999)
  })

  it("stops reading when the client disconnects", async () => {
    let isClosed = false
    async function* rows() {
      try {
        for (let index = 0; ; index++) yield ["row", index]
      } finally {
        isClosed = true
      }
    }
    const reader = await openReader(csvReply({ name: "a", header: ["name", "at"], rows: rows() }))
    await reader.read()
    await reader.cancel()
    expect(isClosed).toBe(true)
  })

  it("rejects if one of the first 100 rows fails, and marks the file as incomplete if a later row fails", async () => {
    async function* rows(failsAt: number) {
      for (let index = 0; index < failsAt; index++) yield ["row", index]
      throw new Error("the store is unavailable")
    }
    const make = (failsAt: number) => csvReply({ name: "a", header: ["name", "at"], rows: rows(failsAt) })
    await expect(make(10)).rejects.toThrow("the store is unavailable")
    const lines = (await readText(make(600))).split("\r\n")
    expect(lines.slice(600)).toEqual([
      "row;599",
      "ARQUIVO INCOMPLETO: a leitura falhou antes do fim. Baixe o arquivo de novo.",
      "",
    ])
  })
})
