import type { SimulatedBank } from "../SimulatedBank.ts"

/** What came of the last of the webhooks' calls after the first `before`; `registered`: how many webhooks there are. */
export const readNotice = ({ webhooks }: SimulatedBank, before: number, registered: number): string => {
  const notice = webhooks.sent.slice(before).at(-1)
  if (notice === undefined) return registered === 0 ? "none is registered: call registerWebhook" : "not called"
  return notice.status === 0 ? `no answer from ${new URL(notice.url).origin}` : `HTTP ${notice.status}`
}
