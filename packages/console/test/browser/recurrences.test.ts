import { checkout } from "@pixcharge/checkout"
import { consoleFor } from "@pixcharge/console"
import { testPix } from "@pixcharge/testing"
import { expectAccessible, keepPicture, openPage, serveApp } from "@pixcharge/verify/browser"
import { expect, it, onTestFinished } from "vitest"

it("offers, approves and charges a subscription by clicks, on accessible pages", async () => {
  const pix = testPix({ recurrences: true, checkout: checkout({ url: "http://127.0.0.1" }) })
  onTestFinished(pix.dispose)
  const { company, key } = pix
  const { origin } = await serveApp(consoleFor(pix, { company, integratorKey: key }), {})
  const page = await openPage({ phone: true })
  const look = async (name: string) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true)
    await expectAccessible(page)
    await keepPicture(page, `console-${name}`)
  }
  await page.goto(origin)
  await page.getByRole("link", { name: "Recurrences" }).click()
  await page.getByText("Offer a recurrence").first().click()
  await look("recurrences")
  await page.getByLabel("Days after the due date to try a failed debit again").fill("1, 3, 6")
  await page.getByRole("button", { name: "Offer", exact: true }).click()
  await page.getByRole("link", { name: "Clube do livro" }).click()
  await look("recurrence-offered")
  await page.getByRole("button", { name: "Approve" }).click()
  await page.getByText("The recurrence is approved.").waitFor()
  await look("recurrence-approved")
  await page.getByText("Move the clock", { exact: true }).click()
  await page.getByRole("button", { name: "1 week" }).click()
  await page.getByRole("link", { name: "Cycle 1" }).waitFor()
  await look("recurrence-charged")
  expect(await page.locator("h1").innerText()).toContain("approved")
  await page.getByText("1, 3, 6 days after the due date").waitFor()
  await page.getByLabel("To cycle").fill("4")
  await page.getByRole("button", { name: "Skip them" }).click()
  await page.getByText("2 to 4", { exact: true }).waitFor()
  await look("recurrence-skipped")
})
