import * as Effect from "effect/Effect"
import { onTestFinished, vi } from "vitest"
import { mounts } from "./mounts.ts"
import { company } from "./openBank.ts"
import { holdAnswerTime, noticeUrl, openShop, type ShopOptions } from "./openShop.ts"

/** Mounts a shop's routes in a listening host. Stops the clock of budgets and the deadline of answers. */
export const openMounted = (mount: keyof typeof mounts, options: ShopOptions = {}) =>
  Effect.gen(function* () {
    vi.useFakeTimers({ toFake: ["Date"] })
    onTestFinished(() => void vi.useRealTimers())
    holdAnswerTime()
    const shop = yield* openShop(options)
    const { baseUrl } = yield* Effect.acquireRelease(
      Effect.promise(() => mounts[mount](shop.pix)),
      ({ close }) => Effect.promise(close),
    )
    const notify = async (body: unknown): Promise<number> => {
      const headers = { "content-type": "application/json" }
      const url = `${baseUrl}${noticeUrl(company)}/pix`
      return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status
    }
    return { ...shop, notify }
  })
