import type { Page, Request } from "playwright-core"

/** A phone would wait too long for a larger first view. Bytes, uncompressed. */
export const maxFirstViewBytes = 50_000

/** Counts the bytes that the page loads, uncompressed and without event streams, until the returned call. */
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
