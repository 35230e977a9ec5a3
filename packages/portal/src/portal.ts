import { type Exchange, InvalidOption, type Reply } from "@pixcharge/core"
import { aFunction, checkOptions as checkNames, hasMethods } from "@pixcharge/core/internal"
import type { Pix } from "@pixcharge/embed"
import type { Responder } from "@pixcharge/http"
import { type FailedRequest, get, type PageRequest, post, redirectReply, type Route, webApp } from "@pixcharge/web"
import { chartsCss, portalCss, portalJs } from "./assets.ts"
import type { Authorize } from "./frame/Access.ts"
import { admit, PortalFrame } from "./frame/PortalFrame.ts"
import { bareProblem, bareReply, companyLinks, frameTexts } from "./frame/layout.ts"
import { failureProblems, problems } from "./frame/errorTexts.ts"
import { redirectsFromForms } from "./frame/PortalRoute.ts"
import { portalRoutes } from "./pages/portalRoutes.ts"

/** The options of `portal`. */
export interface PortalOptions {
  /** Decides who may use the portal, and their rights. */
  readonly authorize: Authorize
}

const startReply = (root: string, companies: Parameters<typeof companyLinks>[0]): Reply | Promise<Reply> => {
  const [first, ...others] = companies
  if (first !== undefined && others.length === 0) return redirectReply(root + first.cnpj)
  return bareReply(root, { title: frameTexts.chooseCompany, body: companyLinks(companies, root) })
}

const companyPath = /^\/[\dA-Z]{12}\d{2}(\/|$)/
/** The maximum depth of a path, because links to the root grow with the path's depth. */
const maxDepth = 20

/** Without a prefix, paths outside a company can belong to the host. */
const isOwnPath = (path: string, { url, fullUrl }: Pick<Exchange, "url" | "fullUrl">): boolean =>
  path.split("/").length < maxDepth && (url !== fullUrl || companyPath.test(path))

/** Visitors without access don't learn which pages exist. */
const lostPage = async (authorize: Authorize, request: FailedRequest): Promise<Reply> => {
  const access = await admit(authorize, request)
  return "companies" in access ? bareProblem(request.root, problems.notFound) : access
}

const checkOptions = (pix: unknown, options: unknown): void => {
  if (!hasMethods(pix, "respond") || !hasMethods(pix, "by")) {
    throw new InvalidOption({ message: "portal needs the instance that createPix returns." })
  }
  if (hasMethods(options, "authorize")) return checkNames<PortalOptions>("portal", options, { authorize: aFunction })
  const form = "async (request) => ({ who, companies: [{ cnpj, name }], rights })"
  throw new InvalidOption({
    message: `portal needs authorize, which says who may see and return money: portal(pix, { authorize: ${form} }).`,
  })
}

/**
 * The web app where operators view charges, refund payments and decide on exceptions.
 *
 * Any binding mounts it, under any prefix. The host authenticates operators: the portal calls `authorize` for each request.
 * Throws `InvalidOption` without `authorize`.
 *
 * @example
 * app.use("/portal", pixRouter(portal(pix, { authorize })))
 */
export const portal = (pix: Pix, options: PortalOptions): Responder => {
  checkOptions(pix, options)
  const { authorize } = options
  const frame = new PortalFrame(pix, authorize)
  const routes = portalRoutes(pix)
  const start = async (request: PageRequest): Promise<Reply> => {
    const access = await admit(authorize, request)
    return "companies" in access ? startReply(request.root, access.companies) : access
  }
  const mounted = routes.map((route): Route => {
    const mount = route.kind === "page" ? get : post
    return mount(`/:cnpj${route.path}`, (request) => frame.answer(route, request as PageRequest<":cnpj">))
  })
  return webApp({
    routes: [
      get("/", start),
      get("/:cnpj/", ({ root, params: { cnpj } }) => redirectReply(root + cnpj)),
      ...mounted,
      ...redirectsFromForms(routes),
    ],
    assets: [chartsCss, portalCss, portalJs],
    owns: isOwnPath,
    failurePage: ({ status }, request) =>
      status === 404 ? lostPage(authorize, request) : bareProblem(request.root, failureProblems[status]),
  })
}
