import type { Page, Request } from "playwright-core"

/** More of a first view is waited for too long on a phone. Bytes, uncompressed. */
export const maxFirstViewBytes = 50_000

/**
 * Counts what the page loads from now on, uncompressed, without its streams of events: to be called before `goto`. The function
 * that it answers tells how many bytes have come, and ends the count.
 */
export const measureFirstView = (page: Page): (() => Promise<number>) => {
  const sizes: Array<Promise<number>> = []
  const measure = (request: Request) => {
    const size = async () => (await (await request.response())?.body())?.length ?? 0
    sizes.push(size())
  }
  page.on("requestfinished", measure)
  return async () => {
    // The bodies of what comes later are gone once the page has been left.
    page.off("requestfinished", measure)
    return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
  }
}
