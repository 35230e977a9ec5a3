import type { Finding } from "@pixcharge/core"

const limitMs = 5_000

const readCode = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const named = Object(cause) as { readonly code?: unknown; readonly name?: unknown }
  return typeof named.code === "string" ? named.code : String(named.name)
}

/** Whether anything answers where events are to go: one HEAD request, no event. Its path may be a secret and isn't said. */
export const checkReceiver = async (written: string): Promise<Finding> => {
  if (!URL.canParse(written)) return { check: "receiver", status: "failed", message: "--receiver takes a URL" }
  const url = new URL(written)
  const check = `receiver ${url.origin}`
  try {
    const { status } = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(limitMs) })
    if (status >= 300 && status < 400) {
      return { check, status: "failed", message: `it redirects (HTTP ${status}): register the URL that it leads to` }
    }
    if (status >= 500) return { check, status: "failed", message: `it fails (HTTP ${status}): see its log` }
    return { check, status: "ok", message: `it answers (HTTP ${status})` }
  } catch (error) {
    return {
      check,
      status: "failed",
      message: `no answer (${readCode(error)}): check name, port, firewall and certificate`,
    }
  }
}
