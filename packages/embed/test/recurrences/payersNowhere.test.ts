import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { postgresStore } from "@pixcharge/store-postgres"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { expect, it, onTestFinished } from "vitest"
import { createPix } from "../../src/index.ts"
import { anOffer, cnpj, inBrasilia, noon } from "./recurringShop.ts"

/** The payer's name, tax id and account, in forms that no other text has. */
const canaries = /Canaria|52998224725|529\.982\.247-25|770077/

it(
  "shows a payer of recurrences in no log, event or audit record, and in no table after the erasure",
  { tags: ["long"] },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "payers-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const database = await embeddedDatabase(join(folder, "data"))
    onTestFinished(() => database.close())
    const reported: Array<string> = []
    const report = (...values: ReadonlyArray<unknown>) =>
      void reported.push(inspect(values, { depth: 30, maxStringLength: null }))
    await using pix = createPix({
      environment: "sandbox",
      store: postgresStore({ db: database.db }),
      companies: [{ cnpj, name: "Academia Aurora", city: "Recife", pixKey: cnpj }],
      processor: sandboxProcessor(),
      recurrences: true,
      background: false,
      frozenAt: noon,
      onEvent: report,
      logger: { debug: report, info: report, warn: report, error: report },
    })
    const goTo = async (day: string, time?: string) => {
      await pix.clock.advance(inBrasilia(day, time) - pix.clock.now())
      while ((await pix.tick({ deadlineMs: 60_000 })).more);
    }
    const payer = { name: "Canaria Souza", taxId: "529.982.247-25" }
    const journey = { by: "bank", ispb: "00000000", account: "770077", until: "2027-03-10T12:00:00Z" } as const
    const ana = pix.by("ana")
    const { id } = await ana.recurrences.offer(cnpj, anOffer({ payer, journey, retries: "threeInSeven" }))
    await pix.recurrences.play(cnpj, id, "approve")
    await pix.recurrences.playDebit(cnpj, id, "noBalance")
    await goTo("2027-03-22", "21:30")
    const [first] = (await pix.recurrences.charges(cnpj, id)).items
    await ana.recurrences.retry(cnpj, first?.id ?? "")
    await goTo("2027-04-25")
    await ana.refund(cnpj, first?.id ?? "")
    await ana.payers.export(cnpj, payer.taxId)
    await expect(ana.payers.erase(cnpj, payer.taxId).catch(report)).resolves.toBeUndefined()
    await ana.recurrences.end(cnpj, id)
    await goTo("2027-04-26")

    report(await pix.audit.list(cnpj), await pix.events.list(cnpj))
    expect(reported.join("\n")).toContain("recurrence-ended")
    expect(reported.filter((text) => canaries.test(text))).toEqual([])

    const dump = async () => {
      const query = async (text: string) => {
        const { rows } = await database.db.query({ text, values: [] })
        return rows.map((row) => String(Object.values(Object(row))[0]))
      }
      const tables = await query(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'pixcharge'::regnamespace AND relkind IN ('r', 'p')",
      )
      const tablesWithPayer: Array<string> = []
      for (const table of tables) {
        const rows = await query(`SELECT to_json(t)::text FROM pixcharge.${table} t`)
        if (rows.some((row) => canaries.test(row))) tablesWithPayer.push(table)
      }
      return tablesWithPayer.toSorted()
    }
    expect(await dump()).toEqual(["charge_texts", "recurrences"])
    expect(await ana.payers.erase(cnpj, payer.taxId)).toBe(3)
    expect(await dump()).toEqual([])
  },
)
