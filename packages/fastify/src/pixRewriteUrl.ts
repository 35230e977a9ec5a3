/** The result is compared because a bundler can remove a call whose result isn't used. */
const isReadable = (path: string): boolean => {
  try {
    return decodeURIComponent(path) !== undefined
  } catch {
    return false
  }
}

/**
 * Makes a function for Fastify's option `rewriteUrl`. It lets paths below `prefix` with broken percent-encoding reach the
 * plugin.
 *
 * Otherwise Fastify logs and repeats the path before any plugin runs, and the token route's path holds a secret.
 *
 * @example
 * const app = Fastify({ rewriteUrl: pixRewriteUrl({ prefix: "/payments" }) })
 */
export const pixRewriteUrl =
  ({ prefix = "" }: { readonly prefix?: string } = {}) =>
  ({ url = "/" }: { readonly url?: string | undefined }): string => {
    const [path = "", ...query] = url.split("?")
    if (!path.startsWith(`${prefix.replace(/\/$/, "")}/`) || isReadable(path)) return url
    return [path.replaceAll("%", "%25"), ...query].join("?")
  }
