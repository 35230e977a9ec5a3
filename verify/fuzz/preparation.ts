import { chargeId, goodAmount, sharedIds } from "./generateCall.ts"
import type { FuzzRequest } from "./FuzzRequest.ts"
import { tenants } from "./tenants.ts"

const call = (tenant: number, method: string, path: string, body?: unknown): FuzzRequest => ({
  _tag: "Call",
  mount: "express",
  call: { method, path, headers: { authorization: `Bearer {token:${tenant}}` }, body },
})

/** The requests that give every tenant charges in every state. */
export const preparation = (): ReadonlyArray<ReadonlyArray<FuzzRequest>> =>
  tenants.flatMap((_, tenant) =>
    Array.from({ length: sharedIds }, (_none, n) => {
      const idFaturaPag = chargeId(n)
      const formaPagamento = { tpTransacao: 11, idFaturaPag, modPagamento: 18, valorPagamento: goodAmount(idFaturaPag) }
      const steps = [
        call(tenant, "POST", "/api/pix", { formaPagamento }),
        call(tenant, "POST", `/api/pix/simular-pagamento/${idFaturaPag}`),
        call(tenant, "DELETE", `/api/pix/${idFaturaPag}`),
      ]
      return steps.slice(0, n % (steps.length + 1))
    }),
  )
