/** What is needed of a response of Node's: `ServerResponse` has it. */
interface NodeResponse {
  readonly destroyed: boolean
  readonly writableFinished: boolean
  readonly once: (event: "close", listener: () => void) => unknown
}

/** The signal of an exchange over Node's `http`: aborted once the connection ends before the whole answer was sent. */
export const makeCallerSignal = (response: NodeResponse): AbortSignal => {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once("close", () => !response.writableFinished && controller.abort())
  return controller.signal
}
