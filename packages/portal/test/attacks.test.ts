import { expect, it, onTestFinished, vi } from "vitest"
import { makeOperator } from "./support/Operator.ts"
import { served } from "./support/mounts.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

/** What Node would end the process for. */
const watchRejections = () => {
  const unhandled = vi.fn<(error: unknown) => void>()
  process.on("unhandledRejection", unhandled)
  onTestFinished(() => void process.off("unhandledRejection", unhandled))
  return unhandled
}

it("a page that fails in two places at once is a 503, and ends no process", async () => {
  const unhandled = watchRejections()
  const { pix, app } = portalWorld()
  const ana = makeOperator(await served("express", app), "ana")
  await ana.get("/")
  await pix.dispose()
  const notice = `aviso=refundDone.9000000000000000.${"x".repeat(40)}`
  for (const path of ["auditoria", "eventos", "excecoes", "pontos", "conciliacao", "pagadores", "cobrancas"]) {
    const { status, text } = await ana.get(`/${shop}/${path}?${notice}`)
    expect([path, status]).toEqual([path, 503])
    expect(text).toContain("O serviço está sendo encerrado.")
  }
  expect(unhandled).not.toHaveBeenCalled()
})
