import type { Page } from "playwright-core"

/** Reads the clipboard by pasting: works for pages over plain HTTP, and needs no permission to read. */
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
