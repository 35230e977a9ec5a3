import assert from "node:assert/strict"
import { once } from "node:events"
import { Agent, get, type IncomingMessage } from "node:http"
import { setTimeout } from "node:timers/promises"
import type { Row } from "./Row.ts"

const cnpj = "12345678000195"
const retryMs = 200

/**
 * Follows a page's stream as a browser does: reopens it after each end and reuses connections. Resolves once the stream
 * has begun. `isWhole` then resolves to true if the stream ends properly, and to false if it is cut off.
 */
const followPage = async (url: string): Promise<{ readonly isWhole: Promise<boolean> }> => {
  const agent = new Agent({ keepAlive: true })
  const open = async (): Promise<IncomingMessage> => {
    const [response] = await once(get(url, { agent, headers: { accept: "text/event-stream" } }), "response")
    return (response as IncomingMessage).resume()
  }
  const first = await open()
  assert.equal(first.statusCode, 200, `${url}: ${first.statusCode}`)
  assert.match(String(first.headers["content-type"]), /^text\/event-stream/, url)
  const isWhole = new Promise<boolean>((resolve) => first.once("close", () => resolve(first.complete)))
  const follow = async (): Promise<void> => {
    for (let response = first; ; response = await open()) {
      await once(response, "end")
      await setTimeout(retryMs, undefined, { ref: false })
    }
  }
  // Follows the stream until the host has ended.
  follow().catch(() => undefined)
  return { isWhole }
}

/**
 * Opens these pages of a host and keeps them open. Each returned promise resolves to whether the page's stream ended
 * properly.
 */
export const openPages = async (origin: string, { prefix, pages }: Row): Promise<ReadonlyArray<Promise<boolean>>> => {
  const mount = `${origin}${prefix}`
  const urls = {
    checkout: async () => `${await (await fetch(`${mount}/link`, { headers: { connection: "close" } })).text()}/estado`,
    portal: async () => `${mount}/portal/${cnpj}/cobrancas?versao=1`,
    console: async () => `${mount}/sandbox/console/live`,
  }
  const areWhole = []
  for (const page of pages) areWhole.push((await followPage(await urls[page]())).isWhole)
  return areWhole
}
