import { expect, it } from "vitest"
import { shop } from "../recurring/openBank.ts"
import { efiContract } from "../../src/ways/efiContract.ts"
import { dated, immediate, terms } from "./lives.ts"
import { bodySchemaOf, methods } from "./schemas.ts"

const cycle = {
  idRec: "R1",
  infoAdicional: "Plano",
  calendario: { dataDeVencimento: "2026-12-10" },
  valor: { original: "49.90" },
  ajusteDiaUtil: true,
  devedor: { email: "maria@example.com", logradouro: "Rua 1", cidade: "Recife", uf: "PE", cep: "50000000" },
  recebedor: { conta: shop.accountNumber, tipoConta: "CORRENTE", agencia: "0001" },
}
const whole = { ...immediate, loc: { id: 1 }, infoAdicionais: [{ nome: "Pedido", valor: "7" }] }
const wholeDated = {
  ...dated,
  devedor: { ...dated.devedor, ...cycle.devedor },
  loc: { id: 1 },
  infoAdicionais: whole.infoAdicionais,
}
const byDays = {
  ...dated.valor,
  abatimento: { modalidade: 1, valorPerc: "0.10" },
  desconto: { modalidade: 3, valorPerc: "0.01" },
}
const request = {
  idRec: "R1",
  calendario: { dataExpiracaoSolicitacao: "2026-12-08T12:00:00Z" },
  destinatario: { cpf: "12345678909", ispbParticipante: "87654321", conta: "123", agencia: "0001" },
}
const change = {
  vinculo: { devedor: { nome: "Maria" } },
  calendario: { dataInicial: "2026-12-10" },
  loc: 1,
  ativacao: { dadosJornada: { txid: "t" } },
}

const bodies: ReadonlyArray<readonly [call: string, body: object]> = [
  ["POST cob", whole],
  ["PUT cob {id}", whole],
  ["PUT cob {id}", { ...whole, devedor: { cnpj: shop.cnpj, nome: "Loja" } }],
  ["PATCH cob {id}", { ...whole, status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" }],
  ["PUT cobv {id}", wholeDated],
  ["PUT cobv {id}", { ...wholeDated, valor: byDays }],
  ["PATCH cobv {id}", { ...wholeDated, status: "ATIVA" }],
  ["PATCH cobv {id}", { valor: byDays }],
  ["PUT pix {id} devolucao", { valor: "1.00" }],
  ["POST loc", { tipoCob: "cob" }],
  ["PUT webhook {id}", { webhookUrl: "https://loja.example" }],
  ["PUT webhookrec", { webhookUrl: "https://loja.example" }],
  ["PUT webhookcobr", { webhookUrl: "https://loja.example" }],
  ["POST rec", { ...terms, loc: 1, ativacao: change.ativacao }],
  ["POST rec", { ...terms, valor: { valorMinimoRecebedor: "1.00" } }],
  ["PATCH rec {id}", { ...change, status: "CANCELADA" }],
  ["POST solicrec", request],
  ["PATCH solicrec {id}", { status: "CANCELADA" }],
  ["POST cobr", cycle],
  ["PUT cobr {id}", cycle],
  ["PATCH cobr {id}", { status: "CANCELADA" }],
]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** All variations of a value with one fault: a field that is missing, unknown or of a wrong type. */
const variations = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return [[], {}, ...variations(value[0]).map((one) => [one])]
  if (!isObject(value)) return [null, 1, "", true, [], {}, "x".repeat(201)]
  return [
    { ...value, unknown: 1 },
    [value],
    null,
    ...Object.entries(value).flatMap(([name, field]) => {
      const { [name]: _, ...rest } = value
      return [rest, ...variations(field).map((one) => ({ ...value, [name]: one }))]
    }),
  ]
}

it("has a contract for exactly the calls whose bodies the SDK's schemas describe", () => {
  expect(Object.keys(efiContract).toSorted()).toEqual(Object.keys(methods).toSorted())
  expect(new Set(bodies.map(([call]) => call))).toEqual(new Set(Object.keys(methods)))
})

it.each(bodies)("accepts the same bodies of %s as the SDK's schema", (call, body) => {
  const schema = bodySchemaOf(call)
  const isAccepted = (one: unknown) => efiContract[call]?.(one, ".body") === undefined
  const isSound = (one: unknown) => schema?.safeParse(one).success
  expect([isAccepted(body), isSound(body)]).toEqual([true, true])
  const others = variations(body)
  expect(others.length).toBeGreaterThan(5)
  expect(others.filter((one) => isAccepted(one) !== isSound(one)).map((one) => JSON.stringify(one))).toEqual([])
})
