import type { Exchange } from "@pixcharge/core"
import { meansThisMachine } from "@pixcharge/core/internal"
import { html, pageReply } from "@pixcharge/web"

const loopback = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/i

/** The frameworks' fields with the original target: some frameworks omit the host of an absolute target. */
interface KnownRequests {
  readonly originalUrl?: unknown
  readonly raw?: { readonly url?: unknown }
  readonly env?: { readonly incoming?: { readonly url?: unknown } }
}

/** The parts of a request that show where it comes from. */
export type Visit = Pick<Exchange, "address" | "url" | "header" | "frameworkRequest">

const readTarget = ({ url, frameworkRequest }: Visit): string => {
  const { originalUrl, raw, env } = Object(frameworkRequest) as KnownRequests
  return String(originalUrl ?? raw?.url ?? env?.incoming?.url ?? url)
}

/**
 * Whether a request comes from this machine and is addressed to it.
 *
 * Requires a loopback address, a loopback host name, and no proxy. Returns false without an address.
 */
export const isFromThisMachine = (exchange: Visit): boolean =>
  loopback.test(exchange.address ?? "") && meansThisMachine(readTarget(exchange), (name) => exchange.header(name))

export const refusedReply = (root: string) =>
  pageReply({
    title: "Not from here",
    lang: "en",
    root,
    status: 403,
    body: html`<main class="page page-narrow">
      <h1>Not from here</h1>
      <p>
        The console answers programs on its own machine only, at <code>localhost</code>, <code>127.0.0.1</code> or
        <code>[::1]</code>, through no proxy, and for no other site.
      </p>
    </main>`,
  })
