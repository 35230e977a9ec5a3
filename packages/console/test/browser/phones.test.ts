import { consoleFor } from "@pixcharge/console"
import { testPix } from "@pixcharge/testing"
import { expectInSight, serveApp } from "@pixcharge/verify/browser"
import { randomUUID } from "node:crypto"
import { it, onTestFinished } from "vitest"

it("shows the list on a phone without scrolling, and the form behind a toggle", async () => {
  const pix = testPix()
  // Disposes of the instance after the page has closed, because an open page still watches the charge.
  onTestFinished(pix.dispose)
  const { company, key } = pix
  const { origin } = await serveApp(consoleFor(pix, { company, integratorKey: key }), {})
  await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  const page = await expectInSight(origin, "tbody tr", 75)
  await page.getByText("Issue a charge").first().click()
  await page.getByLabel("Amount in reais").fill("5")
  await page.getByRole("button", { name: "Issue", exact: true }).click()
  await page.getByRole("heading", { name: /5\.00/ }).first().waitFor()
})
