import { bootFailure } from "./BootFailure.ts"

/** Cloudflare's runtime keeps neither sockets nor timers from one request to the next, and lacks what Node has. */
export const refuseWorkerd = (): void => {
  const { userAgent } = Object(Reflect.get(globalThis, "navigator")) as { readonly userAgent?: unknown }
  if (userAgent === "Cloudflare-Workers") {
    throw bootFailure("Cloudflare Workers (workerd) is not supported; Node, Bun and Deno are")
  }
}
