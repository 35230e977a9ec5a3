import type { PlainEvent } from "@pixcharge/core/charges"
import { aFunction, aList, aText, checkOptions, hasMethods, type OptionRules, required } from "@pixcharge/core/internal"
import type { ServerResponse } from "node:http"
import { type ReceiverReply, receiverReply } from "../wire/ReceiverReply.ts"
import { type ConfirmEvent, confirmByQuery, type QueryOptions } from "./confirmByQuery.ts"
import { maxBodyBytes, type NodeRequest, type RawBody, rawNodeBody, rawWebBody } from "./rawBody.ts"
import { memorySeenEvents, type SeenEvents } from "./SeenEvents.ts"
import { readHeaders, readSigningKeys, type SignedRequest, verifyEvent } from "./verifyEvent.ts"

interface CommonOptions {
  /** The `whsec_...` secrets agreed with the service. There are several during a rotation. */
  readonly secrets: ReadonlyArray<string>
  /**
   * The status query that confirms an event before it is handled, or the host's own function. `false` trusts the signature
   * alone.
   */
  readonly confirm: QueryOptions | ConfirmEvent | false
}

/** `seen` passes a `Tx` to `onEvent`. */
export type ReceiverOptions<Tx = void> = CommonOptions & {
  /** Handles an event. Runs once for each event. An error goes to the framework, and the service sends the event again. */
  readonly onEvent: (event: PlainEvent, tx: Tx) => void | Promise<void>
} & ([Tx] extends [void]
    ? { /** Default: `memorySeenEvents()`. */ readonly seen?: SeenEvents }
    : { readonly seen: SeenEvents<Tx> })

/** The part of a Hono context that the receiver uses. */
export interface HonoContext {
  readonly req: {
    readonly header: (name: string) => string | undefined
    readonly raw: Request
    readonly text: () => Promise<string>
  }
}

/** One receiver for every framework: `app.post("/pix/eventos", receiver.express)`. */
export interface PixReceiver {
  /** An Express or `node:http` handler, before or after any body parser. */
  readonly express: (request: NodeRequest, response: ServerResponse, next?: (error: unknown) => void) => Promise<void>
  readonly hono: (context: HonoContext) => Promise<Response>
  /** A handler of web requests. */
  readonly fetch: (request: Request) => Promise<Response>
  /** A function for any other framework. */
  readonly receive: (request: SignedRequest) => Promise<ReceiverReply>
}

const rules: OptionRules<ReceiverOptions> = {
  secrets: required(aList("secrets, each whsec_ and 24 to 64 bytes in Base64", () => true)),
  confirm: required({
    mustBe: "{ baseUrl, key }, a function, or false to rely on the signature alone",
    holds: (value) => value === false || aFunction.holds(value) || aText.holds(Reflect.get(Object(value), "baseUrl")),
  }),
  onEvent: required(aFunction),
  seen: { mustBe: "memorySeenEvents(), or an object like it", holds: (value) => hasMethods(value, "once") },
}

/**
 * Receives events in the merchant's app: checks signature and age, confirms each event by the status query, and passes it to the
 * host once. The service repeats an event until it gets a 2xx, so a handled event gets a 2xx in any later state of its charge
 * (decision 40).
 *
 * Throws `InvalidOption` for invalid options. Throws a TypeError for an empty list of secrets, and for a secret that is not
 * `whsec_` and 24 to 64 bytes in Base64.
 *
 * @example
 * const receiver = pixReceiver({
 *   secrets: [process.env.PIX_SECRET],
 *   confirm: { baseUrl: "https://pix.example", key: process.env.PIX_KEY },
 *   onEvent: async (event) => { if (event.kind === "paid") await ship(event.payment.chargeId) },
 * })
 * app.post("/pix/eventos", receiver.express)
 */
export const pixReceiver = <Tx = void>(options: ReceiverOptions<Tx>): PixReceiver => {
  checkOptions<ReceiverOptions>("pixReceiver", options, rules)
  const { secrets, onEvent } = options
  readSigningKeys(secrets)
  // The types require `seen` if the work takes a Tx.
  const seen = (options.seen ?? memorySeenEvents()) as SeenEvents<Tx>
  const confirm = makeConfirm(options.confirm)

  const receive = async (request: SignedRequest): Promise<ReceiverReply> => {
    const event = verifyEvent(request, secrets)
    if (typeof event === "string") return receiverReply(event)
    const confirmation = await confirm(event)
    if (confirmation === "confirmed") {
      const isFresh = await seen.once(event.id, async (tx) => onEvent(event, tx))
      return receiverReply(isFresh ? "handled" : "repeated")
    }
    return receiverReply((await wasHandled(seen, event.id)) ? "repeated" : confirmation)
  }

  const receiveRaw = async (header: SignedRequest["header"], read: () => Promise<RawBody>): Promise<ReceiverReply> => {
    const refusal = refuseUnread(header)
    if (refusal !== undefined) return receiverReply(refusal)
    const raw = await read()
    return typeof raw === "string" ? receiverReply(raw) : receive({ header, body: raw.text })
  }

  return {
    receive,
    express: async (request, response, next) => {
      try {
        const reply = await receiveRaw(
          (name) => joinHeader(request, name),
          () => rawNodeBody(request),
        )
        response.writeHead(reply.status, reply.headers).end(reply.body)
      } catch (error) {
        if (next !== undefined) return next(error)
        response.writeHead(500).end()
      }
    },
    hono: async ({ req }) =>
      toResponse(
        await receiveRaw(
          (name) => req.header(name),
          () => rawWebBody(req.raw, () => req.text()),
        ),
      ),
    fetch: async (request) =>
      toResponse(
        await receiveRaw(
          (name) => request.headers.get(name) ?? undefined,
          () => rawWebBody(request),
        ),
      ),
  }
}

/** Before the body is read, because anyone can send a request. */
const refuseUnread = (header: SignedRequest["header"]): "unsigned" | "stale" | "tooLarge" | undefined => {
  const headers = readHeaders(header)
  if (typeof headers === "string") return headers
  return Number(header("content-length")) > maxBodyBytes ? "tooLarge" : undefined
}

/** True if the event was handled before. An unknown event isn't marked, because its work fails. */
const wasHandled = async <Tx>(seen: SeenEvents<Tx>, eventId: string): Promise<boolean> => {
  let isFresh = false
  try {
    await seen.once(eventId, () => {
      isFresh = true
      return Promise.reject(new Error("not confirmed"))
    })
  } catch (error) {
    if (!isFresh) throw error
  }
  return !isFresh
}

const makeConfirm = (confirm: CommonOptions["confirm"]): ConfirmEvent => {
  if (confirm === false) return async () => "confirmed"
  return typeof confirm === "function" ? confirm : confirmByQuery(confirm)
}

const joinHeader = ({ headers }: NodeRequest, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(" ") : value
}

const toResponse = ({ status, headers, body }: ReceiverReply): Response => new Response(body, { status, headers })
