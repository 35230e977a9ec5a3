import type { Exchange } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { checkNoticesPath, type InvalidNoticesPath } from "./checkNoticesPath.ts"
import { makeRouter, type Mounts } from "./makeRouter.ts"

/**
 * Tells the requests that `PixHttp` answers from those that are the host's own, without any of its services. Fails for such
 * a path of the notices as the layer of `PixHttp` does.
 */
export const makeIsOwnRequest = (
  mounts: Mounts = {},
): Effect.Effect<(exchange: Pick<Exchange, "method" | "url">) => boolean, InvalidNoticesPath> =>
  Effect.map(checkNoticesPath(mounts.notices, mounts.checkout), () => {
    const findRoute = makeRouter(mounts)
    return ({ method, url }) => findRoute(method, url) !== undefined
  })
