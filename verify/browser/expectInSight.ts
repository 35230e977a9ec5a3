import type { Page } from "playwright-core"
import { expect } from "vitest"
import { expectAccessible } from "./expectAccessible.ts"
import { openPage } from "./openPage.ts"

const smallPhone = { width: 360, height: 640 }
const inSight = 400

/**
 * Expects that on a small phone the element begins in sight, no element is wider than the screen, and table rows are at
 * most `maxRowHeight` high.
 */
export const expectInSight = async (url: string, selector: string, maxRowHeight: number): Promise<Page> => {
  const page = await openPage({ phone: true })
  await page.setViewportSize(smallPhone)
  await page.goto(url)
  expect((await page.locator(selector).first().boundingBox())?.y).toBeLessThan(inSight)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(smallPhone.width)
  const heights = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.clientHeight))
  expect(Math.max(0, ...heights)).toBeLessThan(maxRowHeight)
  await expectAccessible(page)
  return page
}
