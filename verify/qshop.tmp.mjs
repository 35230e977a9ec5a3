import { chromium, devices } from "playwright-core"
import { chromiumOfMachine, launchOptions } from "./dist/browser/launchOptions.js"
export const open = async (phone = false) => {
  const browser = await chromium.launch(launchOptions(await chromiumOfMachine()))
  const context = await browser.newContext({
    ...(phone && devices["Pixel 7"]),
    ...(!phone && { viewport: { width: 1280, height: 900 } }),
    locale: "pt-BR",
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30000)
  page.on("pageerror", (e) => console.log("pageerror", e.message))
  page.on("response", (r) => r.status() >= 400 && console.log(r.status(), r.request().method(), r.url()))
  const shot = (name) => page.screenshot({ path: `/tmp/q-shop/${name}.png`, fullPage: true })
  return { browser, page, shot }
}
