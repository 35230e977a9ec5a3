/** The result is used: a host's bundler can remove a call that is made only for its error. */
const isReadable = (path: string): boolean => {
  try {
    return decodeURIComponent(path) !== undefined
  } catch {
    return false
  }
}

/**
 * For Fastify's option `rewriteUrl`: takes a path below the plugin's prefix with broken percent-encoding literally, so the plugin
 * gets it. Otherwise Fastify logs and repeats the path before any plugin, and the token route's path holds a secret.
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
