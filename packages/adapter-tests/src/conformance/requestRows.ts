import type { Exchange, Reply } from "@pixcharge/core"
import { fetchHandler } from "@pixcharge/http"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Mount, Mounted } from "./Conformance.ts"
import { rawCall } from "./rawCall.ts"

const reply: Reply = { status: 200, headers: {}, body: "" }

/** How a binding reads the request; a stub records it. */
export const requestRows = (mount: Mount): void => {
  let mounted: Mounted
  let received: Array<Exchange>

  beforeAll(async () => {
    const respond = (exchange: Exchange) => {
      received.push(exchange)
      return Promise.resolve(reply)
    }
    mounted = await mount({ respond, fetch: fetchHandler({ respond }) })
  })
  afterAll(() => mounted.close())

  /** Calls a target below the mount and returns its exchange. */
  const readExchange = async (path: string, origin = ""): Promise<Exchange | undefined> => {
    received = []
    await rawCall(mounted.baseUrl, `GET ${origin}${fullPath(path)}`)
    return received[0]
  }
  const fullPath = (path: string) => new URL(mounted.baseUrl).pathname.replace(/\/$/, "") + path

  it.each(["/page", "/page?of=a%20b&of=%C3%A9/x?y", "/a%2Fb/c", "/", "/?of=1"])(
    "of %s the exchange has the path below the mount and the full one",
    async (path) => {
      expect(await readExchange(path)).toMatchObject({ url: path, fullUrl: fullPath(path) })
    },
  )

  it("of the mount without its last slash, the exchange has the full path without it", async () => {
    const isRoot = fullPath("") === ""
    expect(await readExchange(isRoot ? "/" : "")).toMatchObject({ url: "/", fullUrl: isRoot ? "/" : fullPath("") })
  })

  it("the full path of the absolute form has no origin", async () => {
    const { origin } = new URL(mounted.baseUrl)
    expect((await readExchange("/page?of=1", origin))?.fullUrl).toBe(fullPath("/page?of=1"))
  })

  it("the framework's own request is passed along", async () => {
    received = []
    await fetch(`${mounted.baseUrl}/page`)
    expect(received[0]?.frameworkRequest).toBeTypeOf("object")
    expect(received[0]?.frameworkRequest).not.toBeNull()
  })
}
