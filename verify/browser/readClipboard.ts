import type { Page } from "playwright-core"

/** What is on the clipboard, by pasting it: so pages over plain HTTP can be looked at, and none needs the right to read. */
export const readClipboard = async (page: Page): Promise<string> => {
  const reader = await page.context().newPage()
  await reader.setContent("<textarea></textarea>")
  const field = reader.locator("textarea")
  await field.focus()
  await reader.keyboard.press("ControlOrMeta+V")
  const text = await field.inputValue()
  await reader.close()
  return text
}
