import { expectInSight } from "@pixcharge/verify/browser"
import { it } from "vitest"
import { everyState, portalHost } from "./portalHost.ts"

it("the portal's dashboard and lists begin in sight", async () => {
  const host = await portalHost()
  await using _ = host.pix
  await everyState(host)
  await expectInSight(host.home, ".figure-tile", 75)
  await expectInSight(host.charges, "tbody tr", 75)
  for (const path of ["excecoes", "eventos", "auditoria"]) {
    await expectInSight(`${host.home}/${path}`, "tbody tr", 110)
  }
})
