import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

it.each(["cobrancas", "excecoes", "eventos", "auditoria"])(
  "a missing page of the list %s is an invalid filter, and no outage",
  async (list) => {
    const { app } = portalWorld()
    const operator = makeOperator(await serveApp("express", app), "ana")
    for (const cursor of ["1_2", "nenhuma", "W10", "%00", "%F0%9F"]) {
      const { status, text } = await operator.get(`/${shop}/${list}?cursor=${cursor}`)
      expect([status, text]).toEqual([422, expect.stringContaining("página da lista não existe mais")])
    }
  },
)
