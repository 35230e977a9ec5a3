import { type Binding, serveApp } from "@pixcharge/verify/browser"
import { checkout, type CheckoutOptions } from "@pixcharge/checkout"
import type { CompanyInput } from "@pixcharge/core/directory"
import type { PlainCharge } from "@pixcharge/embed"
import { type TestPix, testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"

/** A shop with a checkout, whose business clock the test moves. */
export interface Shop {
  readonly pix: TestPix
  readonly origin: string
  readonly insecureOrigin: string
  /** Issues a charge, of R$ 149,90 by default. */
  readonly issue: (request?: Partial<Parameters<TestPix["issue"]>[1]>) => Promise<PlainCharge>
  /** The path of a charge's page, with the mount's prefix. */
  readonly makePath: (id: string) => Promise<string>
  /** The ids of the charges that replaced expired charges. */
  readonly renewedIds: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export interface ShopOptions {
  readonly prefix?: string
  readonly binding?: Binding
  readonly renew?: boolean
  readonly company?: Partial<CompanyInput>
  readonly pages?: Pick<CheckoutOptions, "brand" | "returnUrl">
}

export const openShop = async ({
  prefix = "/payments",
  binding = "hono",
  renew = false,
  company,
  pages,
}: ShopOptions = {}): Promise<Shop> => {
  const renewedIds: Array<string> = []
  const issueAgain: CheckoutOptions["renew"] = async ({ issuer, newId, amountCents }) => {
    renewedIds.push((await pix.issue(issuer, { id: newId, amountCents })).id)
  }
  const pix: TestPix = testPix({
    company: { name: "Livraria Aurora Ltda.", ...company },
    checkout: checkout({ ...pages, url: `https://shop.example${prefix}`, ...(renew && { renew: issueAgain }) }),
  })
  const issuer = pix.company.cnpj
  const { origin, insecureOrigin, close } = await serveApp(pix, { prefix, binding })
  return {
    pix,
    origin,
    insecureOrigin,
    renewedIds,
    issue: async (request) => {
      const { id } = await pix.issue(issuer, { id: randomUUID(), amountCents: 14_990, ...request })
      return pix.find(issuer, id)
    },
    makePath: async (id) => {
      const link = await pix.checkout.link(issuer, id, { expiresAt: pix.clock.now() + 90 * 86_400_000 })
      return new URL(link).pathname
    },
    close,
  }
}
