import type { Page, Request } from "playwright-core"

/** The most bytes that a page may load for its first view, uncompressed. */
export const maxFirstViewBytes = 50_000

/**
 * Counts the uncompressed bytes that the page loads, without event streams. The returned function ends the count and
 * returns it.
 */
export const measureFirstView = (page: Page): (() => Promise<number>) => {
  const sizes: Array<Promise<number>> = []
  const measure = (request: Request) => {
    const size = async () => (await (await request.response())?.body())?.length ?? 0
    sizes.push(size())
  }
  page.on("requestfinished", measure)
  return async () => {
    // Stops measuring, because bodies can't be read once the page is left.
    page.off("requestfinished", measure)
    return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
  }
}
