import { factKinds } from "@pixcharge/core/charges"
import { pixReceiver, type PlainEvent } from "@pixcharge/callback-fetch/receiver"
import type { CallbackInput } from "@pixcharge/core/directory"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Cleanup } from "./Cleanup.ts"

/** An integrator's receiver of signed callbacks, in the test's process. */
export interface TestReceiver extends AsyncDisposable {
  /** The receiver's address on 127.0.0.1. */
  readonly url: string
  /** The receiver's registration: `testPix({ company: { callback: receiver.callback } })`. */
  readonly callback: CallbackInput
  /** The events with a valid signature, each once, in order. */
  readonly received: ReadonlyArray<PlainEvent>
  readonly clearReceived: () => void
  readonly dispose: () => Promise<void>
}

const secret = "whsec_c2VncmVkby1kZS10ZXN0ZS1jb20tMzItYnl0ZXMtISE="

/**
 * Listens for callbacks over real HTTP, like an integrator's app. An unsigned request gets a 401.
 *
 * @example
 * await using receiver = await testReceiver()
 * await using pix = testPix({ company: { callback: receiver.callback } })
 */
export const testReceiver = async ({ afterEach, afterAll }: Cleanup = {}): Promise<TestReceiver> => {
  const received: Array<PlainEvent> = []
  const { express } = pixReceiver({
    secrets: [secret],
    confirm: false,
    onEvent: (event) => void received.push(event),
  })
  const server = createServer((request, response) => void express(request, response))
  // Neither the server nor an open connection keeps the process alive.
  server.on("connection", (socket) => socket.unref())
  server.listen(0, "127.0.0.1").unref()
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  const clearReceived = () => void received.splice(0)
  const dispose = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  afterEach?.(clearReceived)
  afterAll?.(dispose)
  return {
    url,
    callback: { url, secrets: [secret], kinds: factKinds },
    received,
    clearReceived,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}
