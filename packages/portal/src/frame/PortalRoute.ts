import type { Reply } from "@pixcharge/core"
import { type Form, get, type PageRequest, redirectReply, type Route } from "@pixcharge/web"
import type { Right } from "./Access.ts"
import type { ActionView, Content, Outcome, View } from "./View.ts"
import type { SectionId } from "./sections.ts"

export interface Live<Path extends string = never> {
  /** Reads the data that the page's content has as `shown`. Pages with the same data share a look-up. */
  readonly look: (view: View<Path>) => Promise<unknown>
  readonly everyMs: number
}

interface Kinds {
  /** Answers GET. */
  readonly page: (view: View<never>) => Content | Reply | Promise<Content | Reply>
  /** Answers POST without a change. */
  readonly query: (view: View<never>, form: Form) => Content | Reply | Promise<Content | Reply>
  /** Answers POST with a change. */
  readonly action: (view: ActionView<never>, form: Form) => Outcome | Promise<Outcome>
}

export type PortalRoute = {
  readonly [Kind in keyof Kinds]: {
    readonly kind: Kind
    readonly path: string
    readonly right: Right
    readonly section: SectionId | undefined
    readonly live?: Live | undefined
    readonly handle: Kinds[Kind]
  }
}[keyof Kinds]

interface Options {
  /** The right that the route requires in addition to `read`. */
  readonly right?: Right
  readonly section?: SectionId
}

/** A page. Its path is relative to the company's path; the empty path is the company's start. */
export const page = <const Path extends string>(
  path: Path,
  { right = "read", section }: Options,
  handle: (view: View<Path>) => Content | Reply | Promise<Content | Reply>,
  live?: Live<Path>,
): PortalRoute => ({
  kind: "page",
  path,
  right,
  section,
  live: live as Live | undefined,
  handle: handle as Kinds["page"],
})

/** A form that only reads. POST keeps its values out of URLs. */
export const query = <const Path extends string>(
  path: Path,
  { right = "read", section }: Options,
  handle: (view: View<Path>, form: Form) => Content | Reply | Promise<Content | Reply>,
): PortalRoute => ({ kind: "query", path, right, section, handle: handle as Kinds["query"] })

/**
 * `handle` runs once for each rendered form, only for its operator and only with the right. A form sent again gets the same
 * outcome. An error counts as an outcome unless the same call can succeed later.
 */
export const action = <const Path extends string>(
  path: Path,
  { right, section }: Options & { readonly right: Right },
  handle: (view: ActionView<Path>, form: Form) => Outcome | Promise<Outcome>,
): PortalRoute => ({ kind: "action", path, right, section, handle: handle as Kinds["action"] })

const pageAbove = (path: string, pages: ReadonlySet<string>): string => {
  const above = path.slice(0, path.lastIndexOf("/"))
  return pages.has(above) ? above : pageAbove(above, pages)
}

const withParams = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

/** Browsers GET a form's address on a reload or after a sign-in: leads to the page above it. */
export const redirectsFromForms = (routes: ReadonlyArray<PortalRoute>): ReadonlyArray<Route> => {
  const pages = new Set(routes.flatMap(({ kind, path }) => (kind === "page" ? [path] : [])))
  return routes.flatMap(({ path }) => {
    if (pages.has(path)) return []
    const above = pageAbove(path, pages)
    return get(`/:cnpj${path}`, ({ root, params, query: queryParams }: PageRequest) => {
      const search = queryParams.size === 0 ? "" : `?${String(queryParams)}`
      return redirectReply(root + withParams(`:cnpj${above}`, params) + search)
    })
  })
}
