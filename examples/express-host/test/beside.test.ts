import { startHost } from "@pixcharge-examples/demonstration"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

const mainOf = (host: string): string => `${import.meta.dirname}/../../${host}/dist/main.js`

/** A port that somebody else has taken. */
const takenPort = async () => {
  const taker = createServer()
  taker.listen(0, "127.0.0.1")
  await once(taker, "listening")
  const { port } = taker.address() as { readonly port: number }
  return { port, free: () => taker.close() }
}

it("start:express works beside start, with the same settings, each on data of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pixcharge-"))
  const { port, free } = await takenPort()
  free()
  const env = { PORT: String(port), DATABASE_URL: "" }
  const first = await startHost(mainOf("hono-host"), env, folder)
  const second = await startHost(mainOf("express-host"), env, folder)
  try {
    expect(first.baseUrl).toBe(`http://127.0.0.1:${port}`)
    expect(second.baseUrl).not.toBe(first.baseUrl)
    expect(second.logs()).toContain(`Port ${port} is taken by another program`)
    for (const { baseUrl } of [first, second]) expect((await fetch(`${baseUrl}/`)).status).toBe(200)
  } finally {
    await Promise.all([first.stop(), second.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
