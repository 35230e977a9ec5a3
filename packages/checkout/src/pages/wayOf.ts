import type { Exchange } from "@pixcharge/core"

/** Where a page is, in relative addresses, so that any prefix works, also one that a proxy takes off. */
export interface Way {
  /** To the folder of all links and of the assets. */
  readonly root: string
  /** To the page of the link that was called. */
  readonly link: string
}

/** Slashes that are too many are counted, too: browsers count them. */
export const wayOf = ({ url }: Exchange): Way => {
  const [path = ""] = url.split("?", 1)
  const below = path.replace(/^\/+[^/]+\/?/, "")
  const root = path.includes("/", path.search(/[^/]/)) ? "./" + "../".repeat(below.split("/").length - 1) : "./pagar/"
  return { root, link: root + (below.split("/").find((segment) => segment !== "") ?? "") }
}
