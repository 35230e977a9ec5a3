import { closestName } from "@pixcharge/core/internal"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { SimulatedBank } from "../SimulatedBank.ts"
import { BankCounter, Refused } from "./BankCounter.ts"

const commands = ["pay", "refund", "down", "slow", "up"] as const

const carryOut = async (counter: BankCounter, method: string, url: URL): Promise<object> => {
  const name = url.pathname.slice(1)
  if (name === "" && method === "GET") return counter.show()
  const command = commands.find((one) => one === name)
  if (command === undefined) {
    const meant = closestName(name, commands)
    throw new Refused(
      `there is no /${name}${meant === undefined ? "" : ` (did you mean /${meant}?)`}: the commands are ${commands.map((one) => `/${one}`).join(", ")}`,
    )
  }
  if (method !== "POST") throw new Refused(`/${command} is a POST: curl -X POST`)
  return counter[command](url.searchParams)
}

/** Takes commands for a bank, and shows `facts` and what is in its ledger, by HTTP on 127.0.0.1. Rejects if it can't listen. */
export const startControls = async (bank: SimulatedBank, cnpj: string, facts: object, port: number) => {
  const counter = new BankCounter(bank, cnpj)
  const server = createServer((request, response) => {
    const { method = "", url = "/" } = request
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body, undefined, 2)}\n`)
    request.resume()
    carryOut(counter, method, new URL(url, "http://127.0.0.1")).then(
      (done) => answer(200, method === "GET" ? { ...facts, ...done } : done),
      (error: unknown) => answer(400, { error: error instanceof Refused ? error.message : String(error) }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
