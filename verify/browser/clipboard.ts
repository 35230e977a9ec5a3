import type { BrowserContext, Page } from "playwright-core"

/**
 * Presses a key in a field of a separate page, which needs no permission for the clipboard. Returns the field's
 * content.
 */
const pressInField = async (context: BrowserContext, key: string, html: string): Promise<string> => {
  const page = await context.newPage()
  await page.setContent(html)
  const field = page.locator("textarea")
  await field.selectText()
  await page.keyboard.press(key)
  const text = await field.inputValue()
  await page.close()
  return text
}

/** Reads the clipboard of the page, even if the page is served over plain HTTP. */
export const readClipboard = (page: Page): Promise<string> =>
  pressInField(page.context(), "ControlOrMeta+V", "<textarea></textarea>")

export const emptyClipboard = async (context: BrowserContext): Promise<void> => {
  const copyNothing = "event.clipboardData.setData('text/plain', ''); event.preventDefault()"
  await pressInField(context, "ControlOrMeta+C", `<textarea oncopy="${copyNothing}">text</textarea>`)
}
