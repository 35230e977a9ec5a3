import * as Result from "effect/Result"
import { setFlagsFromString } from "node:v8"
import { expect, it } from "vitest"
import { decodeChargeBody } from "../src/wire/ChargeBody.ts"

const good = {
  tpTransacao: 11,
  modPagamento: 18,
  idFaturaPag: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c",
  valorPagamento: 19.9,
  dataVencimento: "2026-12-25",
}

const broken = [
  ["formaPagamento.idFaturaPag", { idFaturaPag: "123" }],
  ["formaPagamento.valorPagamento", { valorPagamento: 1.005 }],
  ["formaPagamento.dataVencimento", { dataVencimento: "25/12/2026" }],
] as const

it.each(broken.map(([field], index) => [field, broken.slice(index)] as const))(
  "names the first of several invalid fields: %s",
  (field, faults) => {
    const formaPagamento = Object.assign({}, good, ...faults.map(([, fault]) => fault))
    const cliente = { xNome: " ", documento: "12345678900" }
    expect(decodeChargeBody({ formaPagamento, cliente })).toEqual(Result.fail(field))
  },
)

it("makes requests that share a hidden class, because V8 then reads them fast", () => {
  setFlagsFromString("--allow-natives-syntax")
  const haveSameMap = new Function("a", "b", "return %HaveSameMap(a, b)") as (a: object, b: object) => boolean
  const request = () => Result.getOrThrow(decodeChargeBody({ formaPagamento: good }))
  // Node 20 makes objects differently after some hundred runs.
  for (let index = 0; index < 500; index++) request()
  expect(haveSameMap(request(), request())).toBe(true)
})
