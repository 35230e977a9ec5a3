import { type AuditRecord, isPixError, type Pix } from "@pixcharge/embed"
import { memoryStore } from "@pixcharge/store-memory"
import { testPix } from "@pixcharge/testing"
import { snippetsIn } from "@pixcharge/verify/release"
import { transformSync } from "rolldown/utils"
import { expect, it } from "vitest"

interface Erasures {
  readonly listErasures: (pix: Pix, company: string, from: number) => Promise<ReadonlyArray<AuditRecord>>
  readonly repeatErasures: (pix: Pix, erasures: ReadonlyArray<AuditRecord>) => Promise<void>
}

const readErasures = (): Erasures => {
  const snippet = snippetsIn("docs/operations/restore.md").find(({ name }) => name === "erasures")
  const { code } = transformSync("erasures.ts", snippet?.code ?? "")
  const body = code
    .replace(/^import .*$/gm, "")
    .replace(/^export \{.*\};?$/gm, "")
    .replaceAll(/^export /gm, "")
  return new Function("isPixError", `${body}\nreturn { listErasures, repeatErasures }`)(isPixError)
}

const payers = ["52998224725", "11144477735", "39053344705"].map((taxId) => ({ name: "Maria Canario", taxId }))
const ids = [...payers, payers[0]].map(() => crypto.randomUUID())

const openBooks = async (charges: number) => {
  const pix = testPix({ store: memoryStore() })
  const company = pix.company.cnpj
  for (let index = 0; index < charges; index++) {
    await pix.clock.advance("1 minute")
    await pix.issue(company, { id: ids[index] ?? "", amountCents: 1_990, payer: payers[index % payers.length] })
  }
  return { pix, company }
}

it("the page's erasures work on restored books and leave no trace of a payer", async () => {
  const { listErasures, repeatErasures } = readErasures()
  const { pix, company } = await openBooks(4)
  await using _ = pix
  await pix.clock.advance("1 minute")
  const since = pix.clock.now()
  for (const payer of [payers[0], payers[2]]) await pix.payers.erase(company, payer?.taxId ?? "")
  await pix.clock.advance("1 minute")
  const kept = await listErasures(pix, company, since)
  expect(kept).toHaveLength(2)
  for (const { taxId, name } of payers) {
    expect(JSON.stringify(kept)).not.toContain(taxId)
    expect(JSON.stringify(kept)).not.toContain(name)
  }
  // The backup has only the first two charges and their payers.
  const { pix: restored } = await openBooks(2)
  await using __ = restored
  await repeatErasures(restored, JSON.parse(JSON.stringify(kept)))
  expect((await restored.find(company, ids[0] ?? "")).payer).toBeUndefined()
  expect((await restored.find(company, ids[1] ?? "")).payer).toEqual(payers[1])
  await repeatErasures(restored, kept)
  await restored.clock.advance("1 minute")
  expect(await listErasures(restored, company, 0)).toHaveLength(1)
})
