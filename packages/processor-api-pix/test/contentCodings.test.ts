import { it } from "@pixcharge/adapter-tests/suites"
import type { ApiPixConnection } from "@pixcharge/processor-api-pix"
import { anOrder } from "@pixcharge/adapter-tests/fixtures"
import { startSimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { constants, brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib"
import { describe, expect, it as plainIt } from "vitest"
import { decodeBody } from "../src/connection/Transport.ts"
import { account, company, openBank } from "./bank/openBank.ts"
import { openShop } from "./bank/openShop.ts"
import { transports } from "./bank/transports.ts"

const codings = [
  ["gzip"],
  ["x-gzip"],
  ["br"],
  ["deflate"],
  ["deflateRaw"],
  ["gzip", "br"],
  ["deflate", "gzip"],
] as const

const byFetch = (fetched: typeof fetch) =>
  ({ cert: undefined, key: undefined, ca: undefined, fetch: fetched }) as unknown as Partial<ApiPixConnection>

describe("a bank that compresses its answers without a request for it", () => {
  for (const contentCodings of codings) {
    const named = contentCodings.join(", then ")
    it.live(`can issue, list, refund and refuse with ${named}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShop({ psp: { ways: { contentCodings } } })
        yield* Effect.promise(async () => {
          const { id, txid } = await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
          psp.pay(company.cnpj, txid)
          await pix.reconcile(company.cnpj, { from: Date.now() - 60_000, until: Date.now() + 60_000 })
          expect((await pix.find(company.cnpj, id))._tag).toBe("Paid")
          expect((await pix.refund(company.cnpj, id))._tag).toMatch(/^Refund/)
          await expect(
            pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1, dueDate: "2020-01-02" }),
          ).rejects.toBeDefined()
        })
      }),
    )

    it.live(`has its answers decoded only once if the host's fetch has already decoded ${named}`, () =>
      Effect.gen(function* () {
        const psp = yield* Effect.acquireRelease(
          Effect.promise(() => startSimulatedBank({ accounts: [account], ways: { contentCodings } })),
          ({ close }) => Effect.promise(close),
        )
        const { processor } = yield* openBank({}, { ...byFetch(fetch), baseUrl: psp.baseUrl })
        const order = yield* anOrder(company)
        expect(yield* processor.register(order)).toMatchObject({ txid: order.txid })
      }),
    )
  }
})

const sent = async (open: (typeof transports)[string], encoding: string, bytes: Uint8Array) => {
  const [transport, url] = await open((_, response) =>
    response.writeHead(200, { "content-encoding": encoding }).end(bytes),
  )
  try {
    return await transport.send({ method: "GET", url, headers: {} }, new AbortController().signal)
  } finally {
    transport.close()
  }
}

/** 7.5 GiB of zeros that fit into an answer of the allowed size once they are compressed. */
const gzipBomb = (): Buffer => {
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024))
  return Buffer.concat(Array.from({ length: 120 }, () => member))
}

const zeros = () => Buffer.alloc(256 * 1024 * 1024)
const bombs: Readonly<Record<string, readonly [encoding: string, bytes: Uint8Array]>> = {
  gzip: ["gzip", gzipBomb()],
  "gzip twice": ["gzip, gzip", gzipSync(gzipBomb())],
  deflate: ["deflate", deflateRawSync(zeros(), { level: 1 })],
  br: ["br", brotliCompressSync(zeros(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
}

describe.each(Object.entries(transports))("an answer through %s", (_, open) => {
  plainIt.each(Object.entries(bombs))("is rejected if it exceeds 8 MiB once decompressed (%s)", async (_name, bomb) => {
    const before = process.memoryUsage().rss
    await expect(sent(open, ...bomb)).rejects.toMatchObject({
      cause: expect.stringContaining("the answer is too large"),
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 1024 * 1024)
  })

  plainIt.each(["compress", "GZIP, aws-chunked", "pack200"])(
    "is rejected with an error that names its unknown encoding %s",
    async (encoding) => {
      const name = encoding.split(", ").at(-1)
      await expect(sent(open, encoding, Buffer.from("?"))).rejects.toMatchObject({
        cause: `the answer is encoded as ${name}`,
      })
    },
  )

  plainIt("is rejected with more than four encodings, or an encoding with an invalid name", async () => {
    for (const [encoding, message] of [
      [Array.from({ length: 5 }, () => "identity").join(), "encoded 5 times over"],
      ["maria@example.com", "encoded as something unknown"],
      ["x".repeat(21), "encoded as something unknown"],
    ] as const) {
      await expect(sent(open, encoding, Buffer.from("?"))).rejects.toMatchObject({ cause: `the answer is ${message}` })
    }
    const four = Array.from({ length: 4 }, () => "identity").join()
    expect(await sent(open, four, Buffer.from("?"))).toMatchObject({ text: "?" })
  })

  plainIt.each(["gzip", "br", "deflate", "", "identity"])(
    "is empty if an empty body is encoded as %j",
    async (encoding) => {
      expect(await sent(open, encoding, Buffer.alloc(0))).toMatchObject({ text: "" })
    },
  )

  plainIt("is requested without compression", async () => {
    let requestedEncoding: string | undefined
    const [transport, url] = await open(({ headers }, response) => {
      requestedEncoding = headers["accept-encoding"]
      response.end("{}")
    })
    await transport.send({ method: "POST", url, headers: {}, body: "x" }, new AbortController().signal)
    transport.close()
    expect(requestedEncoding).toBe("identity")
  })

  plainIt("is rejected if its body isn't compressed as its header says", async () => {
    await expect(sent(open, "gzip", Buffer.from("{}"))).rejects.toBeInstanceOf(Error)
  })
})

plainIt("decodeBody rejects a wrongly compressed answer, and says why", async () => {
  for (const coding of ["gzip", "x-gzip", "br", "deflate"]) {
    const cause = "the answer can't be decompressed"
    await expect(decodeBody(Buffer.from("{}"), coding, 10)).rejects.toMatchObject({ cause })
  }
})

describe("a bank with an unknown encoding", () => {
  it.live("is unavailable, and the error names the encoding", () =>
    Effect.gen(function* () {
      const fetched = async () => new Response("?", { headers: { "content-encoding": "compress" } })
      const { processor } = yield* openBank({}, byFetch(fetched))
      expect(yield* Effect.flip(processor.register(yield* anOrder(company)))).toMatchObject({
        _tag: "ProcessorUnavailable",
        cause: "the answer is encoded as compress",
      })
    }),
  )
})
