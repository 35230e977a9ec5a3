import type { Page, Request } from "playwright-core"

/** Uncompressed bytes. */
export const maxFirstViewBytes = 50_000

/** Counts the uncompressed bytes that the page loads, without event streams, until the returned call. */
export const measureFirstView = (page: Page): (() => Promise<number>) => {
  const sizes: Array<Promise<number>> = []
  const measure = (request: Request) => {
    const size = async () => (await (await request.response())?.body())?.length ?? 0
    sizes.push(size())
  }
  page.on("requestfinished", measure)
  return async () => {
    // Later bodies are lost once the page is left.
    page.off("requestfinished", measure)
    return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
  }
}
