import type { Exchange } from "@pixcharge/core"

/** Where a page is, in relative addresses, so that any prefix works, also one that a proxy takes off. */
export interface Way {
  /** To the folder of all links and of the assets. */
  readonly root: string
  /** To the page of the link that was called. */
  readonly link: string
}

/** No page of ours has more above it, were every slash of its address doubled and more; an answer must not grow with its path. */
const maxSteps = 16

/** Slashes that are too many are counted, too: browsers count them. */
export const wayOf = ({ url }: Exchange): Way => {
  const path = url.replace(/\?.*/, "")
  // Stryker disable next-line Regex: a path begins with a slash, and so is found at once
  const below = path.replace(/^\/+[^/]+\/?/, "")
  const segments = below.split("/")
  const steps = Math.min(segments.length - 1, maxSteps)
  const root = path.includes("/", path.search(/[^/]/)) ? `./${"../".repeat(steps)}` : "./pagar/"
  return { root, link: root + (segments.find((segment) => segment !== "") ?? "") }
}
