import type { ErrorRequestHandler } from "express"

const readStatus = (error: unknown): number => {
  const { status } = Object(error) as { readonly status?: unknown }
  return typeof status === "number" && status >= 400 && status < 500 ? status : 500
}

/**
 * Answers the failure of a parser or a route. By default Express sends and logs the stack, and a parser's message repeats the
 * body: names, tax ids and keys. So the caller gets only the status, and the log only the error's name.
 */
export const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  const status = readStatus(error)
  if (status === 500) console.error("a request failed:", error instanceof Error ? error.name : typeof error)
  if (response.headersSent) return void response.destroy()
  response.status(status).json({ error: status === 500 ? "something went wrong" : "this request can't be read" })
}
