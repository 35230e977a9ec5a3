import fc from "fast-check"

/** Generators of random answers that have every field of the standard. The ids have the standard's forms. */

const alphanumeric = [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]
const makeId = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphanumeric), minLength, maxLength })

const decimal = fc
  .integer({ min: 1, max: 999_999_999_999 })
  .map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`)

const instant = fc
  .date({ min: new Date("2021-01-01"), max: new Date("2035-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString())

const text = fc.string({ maxLength: 30 })

const payer = fc.record({ cpf: fc.constantFrom("52998224725", "11144477735"), nome: text })

export const aReturn = fc.record({
  id: makeId(1, 35),
  rtrId: makeId(32, 32),
  valor: decimal,
  natureza: fc.constantFrom("ORIGINAL", "RETIRADA", "MED_FRAUDE"),
  descricao: text,
  horario: fc.record({ solicitacao: instant, liquidacao: instant }),
  status: fc.constantFrom("EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO"),
  motivo: text,
})

export const aPayment = fc.record({
  endToEndId: makeId(32, 32),
  txid: makeId(26, 35),
  valor: decimal,
  componentesValor: fc.record({ original: fc.record({ valor: decimal }) }),
  chave: fc.emailAddress(),
  horario: instant,
  pagador: payer,
  infoPagador: text,
  devolucoes: fc.array(aReturn, { minLength: 1, maxLength: 2 }),
})

const common = {
  txid: makeId(26, 35),
  revisao: fc.nat(),
  devedor: payer,
  chave: fc.emailAddress(),
  solicitacaoPagador: text,
  infoAdicionais: fc.array(fc.record({ nome: text, valor: text }), { minLength: 1, maxLength: 2 }),
  status: fc.constantFrom("ATIVA", "CONCLUIDA", "REMOVIDA_PELO_PSP"),
  location: fc.constant("pix.example.com/qr/v2/0123456789abcdef"),
  loc: fc.record({
    id: fc.nat(),
    location: fc.constant("pix.example.com/qr/v2/0123456789abcdef"),
    tipoCob: fc.constantFrom("cob", "cobv"),
    criacao: instant,
  }),
  pixCopiaECola: text,
  pix: fc.array(aPayment, { minLength: 1, maxLength: 2 }),
}

export const anImmediateCharge = fc.record({
  ...common,
  calendario: fc.record({ criacao: instant, expiracao: fc.nat() }),
  valor: fc.record({ original: decimal, modalidadeAlteracao: fc.constantFrom(0, 1) }),
})

export const aDueDateCharge = fc.record({
  ...common,
  calendario: fc.record({
    criacao: instant,
    dataDeVencimento: instant.map((date) => date.slice(0, 10)),
    validadeAposVencimento: fc.nat(),
  }),
  valor: fc.record({ original: decimal, multa: fc.record({ modalidade: fc.nat(), valorPerc: decimal }) }),
  recebedor: fc.record({ cnpj: fc.constant("12345678000195"), nome: text, cidade: text }),
})

export const aPage = fc.record({
  parametros: fc.record({
    inicio: instant,
    fim: instant,
    paginacao: fc.record({
      paginaAtual: fc.nat(),
      itensPorPagina: fc.nat(),
      quantidadeDePaginas: fc.nat(),
      quantidadeTotalDeItens: fc.nat(),
    }),
  }),
  pix: fc.array(aPayment, { minLength: 2, maxLength: 3 }),
})

/** The names that lead to a field, like `["pix", "0", "valor"]`. */
export type FieldPath = ReadonlyArray<string>

export const fieldPaths = (json: unknown): ReadonlyArray<FieldPath> =>
  typeof json === "object" && json !== null
    ? Object.entries(json).flatMap(([name, field]) => [[name], ...fieldPaths(field).map((path) => [name, ...path])])
    : []

export const withField = (json: unknown, [name, ...rest]: FieldPath, value: unknown): unknown => {
  if (name === undefined) return value
  if (Array.isArray(json))
    return json.map((item, index) => (String(index) === name ? withField(item, rest, value) : item))
  const fields = json as Readonly<Record<string, unknown>>
  return { ...fields, [name]: withField(fields[name], rest, value) }
}

/** Values that no field has: values of every JSON type, and placeholders of banks and runtimes. */
export const oddities: ReadonlyArray<unknown> = [
  null,
  "",
  " ",
  "null",
  "x",
  "0001-01-01T00:00:00",
  "a4b1c2d3-0000-4000-8000-0123456789ab",
  -1,
  0.5,
  2 ** 62,
  true,
  false,
  [],
  {},
  [[]],
  [{}],
  { "": [null] },
]

export const junk = fc.oneof(fc.constantFrom(...oddities), fc.jsonValue({ maxDepth: 3 }))
