import type { Exchange } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { checkNoticesPath, type InvalidNoticesPath } from "./checkNoticesPath.ts"
import { makeRouter } from "./makeRouter.ts"

/**
 * Tells the requests that `PixHttp` answers from those that are the host's own, without any of its services; `noticesPath`
 * is where the processor calls. Fails for such a path as the layer of `PixHttp` does.
 */
export const ownRequests = (
  noticesPath?: string,
): Effect.Effect<(exchange: Pick<Exchange, "method" | "url">) => boolean, InvalidNoticesPath> =>
  Effect.map(checkNoticesPath(noticesPath), (path) => {
    const findRoute = makeRouter(path)
    return ({ method, url }) => findRoute(method, url) !== undefined
  })
