import type { Exchange, StorePorts } from "@pixcharge/core"
import type { CommonOptions, HostOptions, SandboxPix } from "@pixcharge/embed"
import type * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { issueBody, openSandbox, requestToken } from "../../world/sandbox.ts"

const never = new AbortController().signal

/** A request as plain data, without the cost of a framework or socket. */
const exchange = (method: string, url: string, headers: Record<string, string>, text = ""): Exchange => ({
  method,
  url,
  fullUrl: url,
  header: (name) => headers[name],
  body: () => Promise.resolve({ _tag: "Text", text }),
  signal: never,
})

/**
 * Unknown fields that make a body so long that reading, copying or parsing it twice shows in the bytes of a request.
 */
const unknownFields = Array.from(
  { length: 300 },
  (_, index) => `,"field${index}":{"a":${index},"b":["${index}",null]}`,
).join("")

/** A measured operation. `prepare` makes the input of `run`; only `run` is measured. */
export interface Operation {
  readonly prepare: () => Promise<string>
  readonly run: (id: string) => Promise<void>
}

export type OperationName =
  | "issue"
  | "issueLongBody"
  | "repeat"
  | "status"
  | "paidStatus"
  | "notice"
  | "refund"
  | "deliver"
  | "emptyPoll"

/** A shop on the sandbox. Background work runs only in `tick`. */
export interface Shop extends AsyncDisposable {
  readonly operations: Readonly<Record<OperationName, Operation>>
  readonly pix: SandboxPix
  readonly token: string
}

export const openShop = async (
  store: Layer.Layer<StorePorts, unknown>,
  host: Partial<CommonOptions & HostOptions> = {},
): Promise<Shop> => {
  const pix = openSandbox(store, { onEvent: () => Promise.resolve(), background: false, ...host })
  const ask = async (expected: number, request: Exchange): Promise<string> => {
    const reply = await pix.respond(request)
    if (reply?.status !== expected)
      throw new Error(`${request.method} ${request.url}: ${reply?.status} ${String(reply?.body)}`)
    return String(reply.body)
  }
  const token = await requestToken(pix)
  const authorized = { authorization: `Bearer ${token}`, "content-type": "application/json" }

  const call = (method: string, path: string, status: number) => async (id: string) =>
    void (await ask(status, exchange(method, `${path}/${id}`, authorized)))
  const post = (id: string, moreFields?: string) =>
    ask(200, exchange("POST", "/api/pix", authorized, issueBody(id, moreFields)))

  const newId = () => Promise.resolve(randomUUID())
  const issue = async (): Promise<string> => {
    const id = randomUUID()
    await post(id)
    return id
  }
  const issuePaid = async (): Promise<string> => {
    const id = await issue()
    await call("POST", "/api/pix/simular-pagamento", 200)(id)
    return id
  }
  const tick = async () => void (await pix.tick({ deadlineMs: 60_000 }))
  const issueDelivered = async (): Promise<string> => {
    const id = await issuePaid()
    await tick()
    return id
  }

  return {
    pix,
    token,
    [Symbol.asyncDispose]: pix.dispose,
    operations: {
      issue: { prepare: newId, run: async (id) => void (await post(id)) },
      issueLongBody: { prepare: newId, run: async (id) => void (await post(id, unknownFields)) },
      repeat: { prepare: issue, run: async (id) => void (await post(id)) },
      status: { prepare: issue, run: call("GET", "/api/pix", 410) },
      paidStatus: { prepare: issuePaid, run: call("GET", "/api/pix", 200) },
      notice: { prepare: issue, run: call("POST", "/api/pix/simular-pagamento", 200) },
      refund: { prepare: issueDelivered, run: call("DELETE", "/api/pix", 200) },
      deliver: { prepare: issuePaid, run: tick },
      emptyPoll: { prepare: async () => (await tick(), ""), run: tick },
    },
  }
}
