import type { Exchange } from "@pixcharge/core"

/** Relative addresses from a page: they lead right below any prefix, also one that a proxy takes off. */
export interface Links {
  /** To the folder of all links and of the assets. */
  readonly root: string
  /** To the page of the link that was called. */
  readonly link: string
}

/** The length of an answer must not grow with its path. No page lies as deep, even with doubled slashes. */
const maxSteps = 16

/** The addresses from a request's page. Doubled slashes count, as in browsers. */
export const findLinks = ({ url }: Exchange): Links => {
  const path = url.replace(/\?.*/, "")
  // Stryker disable next-line Regex: a path begins with a slash
  const below = path.replace(/^\/+[^/]+\/?/, "")
  const segments = below.split("/")
  const steps = Math.min(segments.length - 1, maxSteps)
  const root = path.includes("/", path.search(/[^/]/)) ? `./${"../".repeat(steps)}` : "./pagar/"
  return { root, link: root + (segments.find((segment) => segment !== "") ?? "") }
}
