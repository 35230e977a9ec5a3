import type { Readable } from "node:stream"

const isUnread = (value: unknown): value is Readable => {
  const { resume, readableDidRead } = Object(value) as Partial<Readable>
  return typeof resume === "function" && readableDidRead === false
}

/**
 * Node's own stream under a web request, if nobody has read or replaced the body: through the web stream, a request takes several
 * times as long. `env` is what `@hono/node-server` calls a handler with: its requests refer to `incoming`, and to a real `Request` as
 * soon as anything needs one.
 */
export const findNodeBody = (request: Request, env: unknown): Readable | undefined => {
  const { incoming } = Object(env) as { readonly incoming?: unknown }
  if (!isUnread(incoming)) return undefined
  const parts = Object.getOwnPropertySymbols(request).map((key): unknown => Reflect.get(request, key))
  return parts.includes(incoming) && !parts.some((part) => part instanceof Request) ? incoming : undefined
}
