import { type PortalCompany, portal } from "@pixcharge/portal"
import { type TestPix, type TestPixOptions, testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { type Binding, serveApp } from "@pixcharge/verify/browser"
import { onTestFinished } from "vitest"

export const payer = { name: "João da Silva", taxId: "52998224725" }

export const rights = [
  "read",
  "issue",
  "refund",
  "changeCharge",
  "cancel",
  "exceptions",
  "events",
  "payers",
  "reconcile",
  "recurrences",
] as const

export const portalHost = async ({
  binding = "hono",
  others = [],
  ...options
}: {
  readonly binding?: Binding
  readonly others?: ReadonlyArray<PortalCompany>
} & Pick<TestPixOptions, "checkout" | "company" | "recurrences"> = {}) => {
  const pix: TestPix = testPix(options)
  // Disposes of the instance after the pages have closed, because open pages read from it.
  onTestFinished(pix.dispose)
  const { cnpj, name } = pix.company
  const companies = [{ cnpj, name }, ...others]
  const app = portal(pix, { authorize: () => ({ who: "ana@aurora.example", companies, rights }) })
  const { origin } = await serveApp(app, { prefix: "/loja/portal", binding })
  const home = `${origin}/loja/portal/${cnpj}`
  const issue = (amountCents: number, more: object = {}) =>
    pix.issue(cnpj, { id: randomUUID(), amountCents, payer, ...more })
  const issuePaid = async (amountCents: number) => (await pix.pay((await issue(amountCents)).id)).id
  return { pix, cnpj, home, charges: `${home}/cobrancas`, issue, paid: issuePaid }
}

export const everyState = async ({
  pix,
  cnpj,
  issue,
  paid,
}: Awaited<ReturnType<typeof portalHost>>): Promise<string> => {
  await pix.expire((await issue(4_990)).id)
  await pix.cancel(cnpj, (await issue(123_456)).id)
  await pix.refund(cnpj, await paid(7_900))
  await issue(2_500_000, { dueDate: "2027-03-10", payer: undefined })
  await issue(1_990)
  const id = await paid(19_990)
  await pix.by("ana@aurora.example").refundPart(cnpj, id, { key: randomUUID(), amountCents: 4_990 })
  await pix.payTwice(id)
  return id
}
