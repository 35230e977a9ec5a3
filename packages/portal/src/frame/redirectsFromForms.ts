import { get, type PageRequest, redirectReply, type Route } from "@pixcharge/web"
import type { PortalRoute } from "./PortalRoute.ts"

/** The path of the nearest page above another. The company's start is above all. */
const pageAbove = (path: string, pages: ReadonlySet<string>): string => {
  const above = path.slice(0, path.lastIndexOf("/"))
  return pages.has(above) ? above : pageAbove(above, pages)
}

const withParams = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

/**
 * Redirects from addresses that only take forms to the page above them.
 *
 * People open such an address without a form when they reload its answer, or sign in again in the middle.
 */
export const redirectsFromForms = (routes: ReadonlyArray<PortalRoute>): ReadonlyArray<Route> => {
  const pages = new Set(routes.flatMap(({ kind, path }) => (kind === "page" ? [path] : [])))
  return routes.flatMap(({ path }) => {
    if (pages.has(path)) return []
    const above = pageAbove(path, pages)
    return get(`/:cnpj${path}`, ({ root, params, query }: PageRequest) => {
      const search = query.size === 0 ? "" : `?${String(query)}`
      return redirectReply(root + withParams(`:cnpj${above}`, params) + search)
    })
  })
}
