import type { Exchange, Reply } from "@pixcharge/core"
import { fetchHandler } from "@pixcharge/http"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Mount, Mounted } from "./Conformance.ts"
import { rawCall } from "./rawCall.ts"

const reply: Reply = { status: 200, headers: {}, body: "" }

/** Tests how a binding reads requests, which a stub records. */
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

  const readExchange = async (path: string, origin = ""): Promise<Exchange | undefined> => {
    received = []
    await rawCall(mounted.baseUrl, `GET ${origin}${fullPath(path)}`)
    return received[0]
  }
  const fullPath = (path: string) => new URL(mounted.baseUrl).pathname.replace(/\/$/, "") + path

  it.each(["/page", "/page?of=a%20b&of=%C3%A9/x?y", "/a%2Fb/c", "/", "/?of=1"])(
    "reads %s as the path below the mount, and keeps the full path",
    async (path) => {
      expect(await readExchange(path)).toMatchObject({ url: path, fullUrl: fullPath(path) })
    },
  )

  it("keeps the full path of a request for the mount itself, without a trailing slash", async () => {
    const isRoot = fullPath("") === ""
    expect(await readExchange(isRoot ? "/" : "")).toMatchObject({ url: "/", fullUrl: isRoot ? "/" : fullPath("") })
  })

  it("drops the origin from the full path if the request target is an absolute URL", async () => {
    const { origin } = new URL(mounted.baseUrl)
    expect((await readExchange("/page?of=1", origin))?.fullUrl).toBe(fullPath("/page?of=1"))
  })

  it("passes the framework's request object to the handler", async () => {
    received = []
    await fetch(`${mounted.baseUrl}/page`)
    expect(received[0]?.frameworkRequest).toBeTypeOf("object")
    expect(received[0]?.frameworkRequest).not.toBeNull()
  })
}
