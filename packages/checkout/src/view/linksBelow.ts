import type { ViewContext } from "./ViewParts.ts"

/** The addresses that the view needs, below a link of a charge. */
export const linksBelow = (link: string): ViewContext["links"] => ({
  qr: `${link}/qr.svg`,
  renew: `${link}/novo`,
  receipt: `${link}/comprovante`,
})
