import { checkout } from "@pixcharge/checkout"
import { testPix } from "@pixcharge/testing"
import { chromium as playwright } from "playwright-core"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { join } from "node:path"
import { pixRouter } from "@pixcharge/express"
import express from "express"
import { chromiumOfMachine, launchOptions } from "../browser/launchOptions.ts"
import { freePort } from "../world/freePort.ts"
import { root } from "../world/root.ts"

const size = { width: 360, height: 860 }

export const writePictures = async (): Promise<void> => {
  const port = await freePort()
  const pix = testPix({ company: { name: "Minha Loja" }, checkout: checkout({ url: `http://127.0.0.1:${port}` }) })
  const server = createServer(express().use(pixRouter(pix))).listen(port, "127.0.0.1")
  const browser = await playwright.launch(launchOptions(await chromiumOfMachine()))
  try {
    const { id, issuer } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_990 })
    const page = await browser.newPage({ viewport: size, locale: "pt-BR" })
    const write = (name: string) =>
      page.screenshot({ path: join(root, "docs", `checkout-${name}.png`), animations: "disabled" })
    await page.goto(await pix.checkout.link(issuer, id))
    await page.getByRole("timer").waitFor()
    await write("pending")
    await pix.pay(id)
    await page.getByText("Pagamento confirmado").waitFor()
    await write("paid")
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
    await pix.dispose()
  }
}
