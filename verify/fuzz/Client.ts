import { type Answer, type Call, makeHttpClient } from "@pixcharge/adapter-tests/conformance"
import type { FuzzRequest, MountName } from "./FuzzRequest.ts"
import type { Host } from "./Host.ts"
import { type AnsweredRequest } from "./judge.ts"
import { readAnswers, sendBytes } from "./sendBytes.ts"
import { type Tenant, tenants } from "./tenants.ts"

export interface Exchanged {
  readonly answer: Answer
  readonly request: AnsweredRequest
}

export class Unanswered extends Error {}

/**
 * A server that neither answers nor closes the connection within this time counts as hanging, even on a busy machine.
 */
const hangMs = 60_000

/** The server can refuse a longer body before it is sent completely. That breaks the connection. */
const longBodyBytes = 16_384

const inTime = <A>(answering: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unanswered(`nothing came within ${hangMs / 1_000} s`)), hangMs)
  })
  return Promise.race([answering, hangs]).finally(() => clearTimeout(timer))
}

const placeholder = /\{token:(\d)\}/g

const findTenant = (text: string): Tenant | undefined => {
  const [, number] = new RegExp(placeholder.source).exec(text) ?? []
  return number === undefined ? undefined : tenants[Number(number)]
}

const bodyLength = ({ body }: Call): number =>
  typeof body === "string" || body instanceof Uint8Array ? body.length : JSON.stringify(body ?? "").length

export const makeClient = async ({ urls, noticesPath }: Host) => {
  const clients = Object.entries(urls).map(([name, url]) => [name, makeHttpClient(url)] as const)
  const callAt = (mount: MountName, call: Call): Promise<Answer> => {
    const client = clients.find(([name]) => name === mount)
    return client === undefined ? Promise.reject(new RangeError(`no mount ${mount}`)) : inTime(client[1].call(call))
  }

  /**
   * Repeats a call on a new connection if a reused connection breaks, because the server can close idle connections.
   */
  const callTwice = (mount: MountName, call: Call) =>
    callAt(mount, call).catch((error: unknown) => {
      if (error instanceof Unanswered) throw error
      const fresh = makeHttpClient(urls[mount])
      return inTime(fresh.call(call)).finally(fresh.close)
    })

  const tokenFor = async ({ cnpj, key }: Tenant): Promise<string> => {
    const secret = Buffer.from(`${cnpj}|${key}`).toString("base64url")
    const answer = await callAt("express", { method: "GET", path: `/api/token/${secret}` })
    return String(answer.json?.data)
  }
  const tokens = await Promise.all(tenants.map(tokenFor))
  const withTokens = (text: string) => text.replaceAll(placeholder, (_, at: string) => tokens[Number(at)] ?? "")

  const sendCall = async (mount: MountName, call: Call): Promise<ReadonlyArray<Exchanged>> => {
    const headers = Object.fromEntries(
      Object.entries(call.headers ?? {}).map(([name, value]) => [name, withTokens(value)]),
    )
    const request = { method: call.method, path: call.path, tenant: findTenant(call.headers?.["authorization"] ?? "") }
    const path = call.path.replace("{notices}", noticesPath)
    const answer = await callTwice(mount, { ...call, path, headers }).catch((error: unknown) => {
      if (error instanceof Unanswered) throw error
      if (bodyLength(call) > longBodyBytes) return undefined
      throw new Unanswered(`the connection broke: ${String(error)}`)
    })
    return answer === undefined ? [] : [{ answer, request }]
  }

  const sendRaw = async (mount: MountName, writes: ReadonlyArray<string>): Promise<ReadonlyArray<Exchanged>> => {
    const received = await inTime(sendBytes(urls[mount], writes.map(withTokens)))
    const { answers, rest } = readAnswers(received)
    if (rest !== "") throw new Unanswered(`the answer is not HTTP: ${JSON.stringify(rest.slice(0, 200))}`)
    const tenant = findTenant(writes.join(""))
    // It is unknown which request an answer belongs to, so any answer of the contract is allowed.
    return answers.map((answer) => ({ answer, request: { method: "", path: "", tenant } }))
  }

  return {
    send: (request: FuzzRequest): Promise<ReadonlyArray<Exchanged>> =>
      request._tag === "Call" ? sendCall(request.mount, request.call) : sendRaw(request.mount, request.writes),
    close: () => clients.forEach(([, { close }]) => close()),
  }
}
