import { closestName, meansThisMachine } from "@pixcharge/core/internal"
import { createServer, type IncomingMessage } from "node:http"
import type { SimulatedBank } from "../SimulatedBank.ts"
import { listen } from "../server/BankServer.ts"
import { BankCounter, Refused } from "./BankCounter.ts"
import { RecurringCounter } from "./RecurringCounter.ts"

type Command = (query: URLSearchParams) => object | Promise<object>

const makeCommands = (counter: BankCounter, payers: RecurringCounter): Readonly<Record<string, Command>> => ({
  pay: (query) => counter.pay(query),
  refund: (query) => counter.refund(query),
  down: () => counter.down(),
  slow: (query) => counter.slow(query),
  up: () => counter.up(),
  approve: (query) => payers.approve(query),
  decline: (query) => payers.decline(query),
  cancel: (query) => payers.cancel(query),
  expire: (query) => payers.expire(query),
  maximum: (query) => payers.maximum(query),
  balance: (query) => payers.balance(query),
  day: (query) => payers.day(query),
})

/** True for requests that don't come from this machine's user (decision 54). A browser sends its page's origin with a command. */
const isRefused = ({ url = "", headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || !meansThisMachine(url, (name) => headers[name]?.toString())

const showOrRun = async (
  byName: Readonly<Record<string, Command>>,
  show: () => object,
  { method, url = "" }: IncomingMessage,
): Promise<object> => {
  const [path = ""] = url.split("?", 1)
  if (path === "/" && method === "GET") return show()
  const name = path.slice(1)
  const commands = Object.keys(byName)
  const command = Object.hasOwn(byName, name) ? byName[name] : undefined
  if (command === undefined) {
    const suggestion = closestName(name, commands)
    throw new Refused(
      `there is no /${name}${suggestion === undefined ? "" : ` (did you mean /${suggestion}?)`}: the commands are ${commands.map((one) => `/${one}`).join(", ")}`,
    )
  }
  if (method !== "POST") throw new Refused(`/${name} is a POST: curl -X POST`)
  return command(new URLSearchParams(url.slice(path.length)))
}

/** Takes commands for a bank, and shows `facts` and its ledger, by HTTP on 127.0.0.1. Rejects if it can't listen. */
export const startControls = async (bank: SimulatedBank, cnpj: string, facts: object, port: number) => {
  const counter = new BankCounter(bank, cnpj)
  const payers = new RecurringCounter(bank)
  const commands = makeCommands(counter, payers)
  const show = () => ({ ...facts, ...counter.show(), ...payers.show() })
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body, undefined, 2)}\n`)
    request.resume()
    if (isRefused(request)) return void answer(403, { error: "only programs on this machine command this bank" })
    showOrRun(commands, show, request).then(
      (done) => answer(200, done),
      (error: unknown) => answer(400, { error: error instanceof Refused ? error.message : String(error) }),
    )
  })
  const listening = await listen(server, port)
  return { url: `http://127.0.0.1:${listening.port}`, close: listening.close }
}
