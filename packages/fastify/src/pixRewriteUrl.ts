/** The result is looked at: a host's bundler may take a call for needless that is made for its error alone. */
const isReadable = (path: string): boolean => {
  try {
    return decodeURIComponent(path) !== undefined
  } catch {
    return false
  }
}

/**
 * For Fastify's option `rewriteUrl`: a path below the plugin's prefix whose percent-encoding is broken is taken as it is
 * written, so that the plugin gets it. Fastify itself logs and repeats such a path before any plugin, and that of the token
 * route holds a secret.
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
