import * as Predicate from "effect/Predicate"

export interface Breach {
  readonly rule: "type" | "enum" | "format" | "required" | "additionalProperties" | "oneOf"
  /** The path of the wrong field, like `.body.valor.original`. */
  readonly path: string
}

export type Contract = (value: unknown, path: string) => Breach | undefined

const holds =
  (rule: Breach["rule"], isSound: (value: unknown) => boolean): Contract =>
  (value, path) =>
    isSound(value) ? undefined : { rule, path }

const text = holds("type", (value) => typeof value === "string")
const numeric = holds("type", (value) => typeof value === "number")
const flag = holds("type", (value) => typeof value === "boolean")
const oneOf = (...texts: ReadonlyArray<string>): Contract => holds("enum", (value) => texts.includes(String(value)))
const url = holds("format", (value) => typeof value === "string" && URL.canParse(value))
const email = holds("format", (value) => typeof value === "string" && /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(value))
const texts = (maxLength: number): Contract =>
  holds("type", (value) => typeof value === "string" && value.length <= maxLength)

const each =
  (item: Contract): Contract =>
  (value, path) =>
    Array.isArray(value)
      ? value.map((one, index) => item(one, `${path}[${index}]`)).find((breach) => breach !== undefined)
      : { rule: "type", path }

const either =
  (...forms: ReadonlyArray<Contract>): Contract =>
  (value, path) =>
    forms.some((form) => form(value, path) === undefined) ? undefined : { rule: "oneOf", path }

type Fields = Readonly<Record<string, Contract>>

const object =
  (required: Fields, optional: Fields, isOpen: boolean): Contract =>
  (value, path) => {
    if (!Predicate.isObject(value)) return { rule: "type", path }
    const missing = Object.keys(required).find((name) => !(name in value))
    if (missing !== undefined) return { rule: "required", path: `${path}.${missing}` }
    const known = { ...required, ...optional }
    const findBreach = ([name, field]: readonly [string, unknown]): Breach | undefined => {
      const contract = known[name]
      if (contract !== undefined) return contract(field, `${path}.${name}`)
      return isOpen ? undefined : { rule: "additionalProperties", path: `${path}.${name}` }
    }
    return Object.entries(value)
      .map(findBreach)
      .find((breach) => breach !== undefined)
  }

/** An object with only these fields. */
const only = (required: Fields, optional: Fields = {}): Contract => object(required, optional, false)

/** An object with these and other fields. */
const some = (required: Fields): Contract => object(required, {}, true)

const person = either(only({ cpf: text, nome: text }), only({ cnpj: text, nome: text }))

const address = { email, logradouro: text, cidade: text, uf: text, cep: text }
const dueDatePerson = either(only({ cpf: text, nome: text }, address), only({ cnpj: text, nome: text }, address))

const location = some({ id: numeric })
const further = { solicitacaoPagador: text, loc: location, infoAdicionais: each(only({ nome: text, valor: text })) }
const statuses = oneOf("ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP")

const expiry = only({ expiracao: numeric })
const amount = only({ original: text })
const charge = only({ calendario: expiry, valor: amount, chave: text }, { devedor: person, ...further })

const share = { modalidade: numeric, valorPerc: text }
const fees = { multa: only(share), juros: only(share), abatimento: only(share) }
const discount = either(
  only(share),
  only({ modalidade: numeric, descontoDataFixa: each(some({ data: text, valorPerc: text })) }),
)
const dueDates = { validadeAposVencimento: numeric }

const changedShare = only({}, share)
const changedFees = {
  multa: changedShare,
  juros: changedShare,
  abatimento: changedShare,
  desconto: only({}, { ...share, descontoDataFixa: each(only({}, { data: text, valorPerc: text })) }),
}

const cancellation = only({ status: oneOf("CANCELADA") })
const firstCharge = only({ dadosJornada: only({ txid: text }) })
const payersAccount = { agencia: text, conta: text, ispbParticipante: text }

const cycle = only(
  {
    idRec: text,
    calendario: only({ dataDeVencimento: text }),
    valor: amount,
    ajusteDiaUtil: flag,
    recebedor: only({ conta: text, tipoConta: oneOf("CORRENTE", "POUPANCA", "PAGAMENTO"), agencia: text }),
  },
  {
    infoAdicional: text,
    devedor: only({}, { email, logradouro: texts(200), cidade: texts(200), uf: texts(2), cep: texts(8) }),
  },
)

const webhook = only({ webhookUrl: url })

/** Efí's requests by call. They are stricter than the central bank's, and allow no other fields. */
export const efiContract: Readonly<Record<string, Contract>> = {
  "POST cob": charge,
  "PUT cob {id}": charge,
  "PATCH cob {id}": only(
    {},
    { calendario: expiry, devedor: person, valor: amount, status: statuses, chave: text, ...further },
  ),
  "PUT cobv {id}": only(
    {
      calendario: only({ dataDeVencimento: text }, dueDates),
      devedor: dueDatePerson,
      valor: only({ original: text }, { ...fees, desconto: discount }),
      chave: text,
    },
    further,
  ),
  "PATCH cobv {id}": only(
    {},
    {
      calendario: only({}, { dataDeVencimento: text, ...dueDates }),
      devedor: only({}, { cpf: text, cnpj: text, nome: text, ...address }),
      valor: only({}, { original: text, ...changedFees }),
      status: statuses,
      chave: text,
      ...further,
    },
  ),
  "PUT pix {id} devolucao": only({ valor: text }),
  "POST loc": only({ tipoCob: oneOf("cob", "cobv") }),
  "PUT webhook {id}": webhook,
  "PUT webhookrec": webhook,
  "PUT webhookcobr": webhook,
  "POST rec": only(
    {
      vinculo: only({ contrato: text, devedor: person }, { objeto: text }),
      calendario: only(
        { dataInicial: text, periodicidade: oneOf("SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL") },
        { dataFinal: text },
      ),
      valor: either(only({ valorRec: text }), only({ valorMinimoRecebedor: text })),
      politicaRetentativa: oneOf("NAO_PERMITE", "PERMITE_3R_7D"),
    },
    { loc: numeric, ativacao: firstCharge },
  ),
  "PATCH rec {id}": only(
    {},
    {
      loc: numeric,
      status: oneOf("CANCELADA"),
      vinculo: only({ devedor: only({ nome: text }) }),
      calendario: only({ dataInicial: text }),
      ativacao: firstCharge,
    },
  ),
  "POST solicrec": only({
    idRec: text,
    calendario: only({ dataExpiracaoSolicitacao: text }),
    destinatario: either(only({ ...payersAccount, cpf: text }), only({ ...payersAccount, cnpj: text })),
  }),
  "PATCH solicrec {id}": cancellation,
  "POST cobr": cycle,
  "PUT cobr {id}": cycle,
  "PATCH cobr {id}": cancellation,
}
