import { get, redirectReply, webApp } from "@pixcharge/web"
import { expect, it } from "vitest"
import { failurePage, mounts, serve } from "./world.ts"

const app = webApp({ routes: [get("/:name/", ({ root, params }) => redirectReply(root + params.name))], failurePage })

it.each(Object.entries(mounts))("lets no path add a header to a redirect, mounted by %s", async (_, mount) => {
  const ask = await serve(app, "/portal", mount)
  const rows = [
    ["12345678000195", "../12345678000195"],
    ["a%0D%0Aset-cookie:%20own=1", "../a%0D%0Aset-cookie:%20own=1"],
    ["%00%7F", "../%00%7F"],
    ["%E2%82%AC", "../%E2%82%AC"],
    ["a%3Fb%26c=1", "../a?b&c=1"],
  ]
  for (const [name, location] of rows) {
    const answer = await ask(`/${name}/`)
    expect([name, answer.status, answer.headers.get("location")]).toEqual([name, 303, location])
    expect(await answer.text()).toBe("")
    expect(answer.headers.get("set-cookie")).toBeNull()
  }
})
