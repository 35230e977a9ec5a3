import axe from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/** Fails if axe finds a violation of WCAG 2.2 A or AA. JavaScript must be enabled on the page. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async (values) => {
    const { axe: loaded } = window as unknown as { axe: typeof axe }
    return (await loaded.run(document, { runOnly: { type: "tag", values } })).violations
  }, tags)
  const lines = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ target }) => `  ${target.join(" ")}`).join("\n")}`,
  )
  expect(violations.length, lines.join("\n")).toBe(0)
}
