/**
 * The part of API Pix 2.10.0 that we use, as JSON Schema. Its known defects are corrected: patterns are anchored, a
 * received payment can have any txid, and a list of payments is under `pix`.
 */

const text = (pattern: string, more: object = {}) => ({ type: "string", pattern, ...more })
const object = (required: ReadonlyArray<string>, properties: object, more: object = {}) => ({
  type: "object",
  required,
  properties,
  ...more,
})
const ref = (name: string) => ({ $ref: `#/definitions/${name}` })

/** For our requests, which must not have unknown fields. */
const closed = { additionalProperties: false }

const instant = text("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$")
const day = text("^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$")
const amount = text("^\\d{1,10}\\.\\d{2}$")
const txid = text("^[a-zA-Z0-9]{26,35}$")
const pixKey = { type: "string", minLength: 1, maxLength: 77 }
const modality = (maximum: number) => ({ type: "integer", minimum: 1, maximum })
const share = (maximum: number) =>
  object(["modalidade", "valorPerc"], { modalidade: modality(maximum), valorPerc: amount }, closed)

const personWith = (contact: Readonly<Record<string, object>>) => ({
  oneOf: [
    object(["cpf", "nome"], { cpf: text("^\\d{11}$"), nome: { type: "string", maxLength: 200 }, ...contact }, closed),
    object(
      ["cnpj", "nome"],
      { cnpj: text("^[0-9A-Z]{14}$"), nome: { type: "string", maxLength: 200 }, ...contact },
      closed,
    ),
  ],
})

const person = personWith({})
const dueDatePerson = personWith({
  email: { type: "string" },
  logradouro: { type: "string", maxLength: 200 },
  cidade: { type: "string", maxLength: 200 },
  uf: { type: "string", maxLength: 2 },
  cep: { type: "string", maxLength: 8 },
})

const discount = {
  oneOf: [
    object(
      ["modalidade", "descontoDataFixa"],
      {
        modalidade: modality(2),
        descontoDataFixa: {
          type: "array",
          minItems: 1,
          maxItems: 3,
          uniqueItems: true,
          items: object(["data", "valorPerc"], { data: day, valorPerc: amount }, closed),
        },
      },
      closed,
    ),
    object(
      ["modalidade", "valorPerc"],
      { modalidade: { type: "integer", minimum: 3, maximum: 6 }, valorPerc: amount },
      closed,
    ),
  ],
}

const status = { enum: ["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"] }

const shownTexts = {
  solicitacaoPagador: { type: "string", maxLength: 140 },
  infoAdicionais: {
    type: "array",
    maxItems: 50,
    items: object(
      ["nome", "valor"],
      { nome: { type: "string", maxLength: 50 }, valor: { type: "string", maxLength: 200 } },
      closed,
    ),
  },
}

const generated = {
  txid,
  revisao: { type: "integer", minimum: 0 },
  status,
  chave: pixKey,
  devedor: person,
  ...shownTexts,
  location: { type: "string", maxLength: 77, not: { pattern: "://" } },
  loc: object(["id", "location", "tipoCob", "criacao"], {
    id: { type: "integer" },
    location: { type: "string", maxLength: 77 },
    tipoCob: { enum: ["cob", "cobv"] },
    criacao: instant,
  }),
  pixCopiaECola: { type: "string", maxLength: 512 },
  pix: { type: "array", items: ref("Pix") },
}

const removal = object(["status"], { status: { const: "REMOVIDA_PELO_USUARIO_RECEBEDOR" } }, closed)

const CobSolicitada = object(
  ["calendario", "valor", "chave"],
  {
    calendario: object([], { expiracao: { type: "integer", minimum: 1 } }, closed),
    devedor: person,
    valor: object(["original"], { original: amount }, closed),
    chave: pixKey,
    ...shownTexts,
  },
  closed,
)

const CobVSolicitada = object(
  ["calendario", "devedor", "valor", "chave"],
  {
    calendario: object(
      ["dataDeVencimento"],
      { dataDeVencimento: day, validadeAposVencimento: { type: "integer", minimum: 0 } },
      closed,
    ),
    devedor: dueDatePerson,
    valor: object(
      ["original"],
      { original: amount, multa: share(2), juros: share(8), abatimento: share(2), desconto: discount },
      closed,
    ),
    chave: pixKey,
    ...shownTexts,
  },
  closed,
)

const taxId = { cpf: text("^\\d{11}$"), cnpj: text("^[0-9A-Z]{14}$") }
const idRec = text("^R[RN][0-9A-Z]{8}\\d{8}[a-zA-Z0-9]{11}$")
const short = (maxLength: number) => ({ type: "string", minLength: 1, maxLength })

/** The schemas of our requests of Pix Automático. The answers are checked by the simulated bank's own tests. */
const recurring = {
  RecSolicitada: object(
    ["vinculo", "calendario", "politicaRetentativa"],
    {
      vinculo: object(
        ["contrato", "devedor"],
        {
          contrato: short(35),
          objeto: short(35),
          devedor: object(["nome"], { ...taxId, nome: short(140) }, { ...closed, minProperties: 2, maxProperties: 2 }),
        },
        closed,
      ),
      calendario: object(
        ["dataInicial", "periodicidade"],
        {
          dataInicial: day,
          dataFinal: day,
          periodicidade: { enum: ["SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"] },
        },
        closed,
      ),
      valor: object([], { valorRec: amount, valorMinimoRecebedor: amount }, { ...closed, maxProperties: 1 }),
      politicaRetentativa: { enum: ["NAO_PERMITE", "PERMITE_3R_7D"] },
      loc: { type: "integer" },
      ativacao: object(["dadosJornada"], { dadosJornada: object(["txid"], { txid }, closed) }, closed),
    },
    closed,
  ),
  SolicRecSolicitada: object(
    ["idRec", "calendario", "destinatario"],
    {
      idRec,
      calendario: object(["dataExpiracaoSolicitacao"], { dataExpiracaoSolicitacao: instant }, closed),
      destinatario: object(
        ["ispbParticipante", "conta"],
        { ...taxId, ispbParticipante: text("^[0-9A-Z]{8}$"), conta: short(20), agencia: short(4) },
        { ...closed, oneOf: [{ required: ["cpf"] }, { required: ["cnpj"] }] },
      ),
    },
    closed,
  ),
  CobRSolicitada: object(
    ["idRec", "calendario", "valor", "ajusteDiaUtil", "recebedor"],
    {
      idRec,
      calendario: object(["dataDeVencimento"], { dataDeVencimento: day }, closed),
      valor: object(["original"], { original: amount }, closed),
      ajusteDiaUtil: { const: true },
      recebedor: object(
        ["conta", "tipoConta"],
        { conta: short(20), agencia: short(4), tipoConta: { enum: ["CORRENTE", "POUPANCA", "PAGAMENTO"] } },
        closed,
      ),
    },
    closed,
  ),
  Cancelada: object(["status"], { status: { const: "CANCELADA" } }, closed),
  Qualquer: {},
}

export const definitions = {
  ...recurring,
  CobSolicitada,
  CobVSolicitada,
  // A removal has only its status. A change has at least one field of the charge.
  CobRevisada: { oneOf: [removal, { ...CobSolicitada, required: [], minProperties: 1 }] },
  CobVRevisada: { oneOf: [removal, { ...CobVSolicitada, required: [], minProperties: 1 }] },
  CobCompleta: object(["txid", "calendario", "revisao", "status", "valor", "chave"], {
    ...generated,
    calendario: object(["criacao", "expiracao"], { criacao: instant, expiracao: { type: "integer" } }),
    valor: object(["original"], { original: amount }),
  }),
  CobVCompleta: object(
    ["txid", "calendario", "revisao", "status", "valor", "chave", "devedor", "recebedor", "location"],
    {
      ...generated,
      devedor: dueDatePerson,
      calendario: object(["criacao", "dataDeVencimento", "validadeAposVencimento"], {
        criacao: instant,
        dataDeVencimento: day,
        validadeAposVencimento: { type: "integer" },
      }),
      valor: object(["original"], { original: amount }),
      recebedor: object(["nome", "logradouro", "cidade", "uf", "cep"], {}),
    },
  ),
  Pix: object(["endToEndId", "valor", "horario"], {
    endToEndId: text("^[a-zA-Z0-9]{32}$"),
    txid: text("^[a-zA-Z0-9]{1,35}$"),
    valor: amount,
    chave: pixKey,
    horario: instant,
    devolucoes: { type: "array", items: ref("Devolucao") },
  }),
  PixConsultados: object(["parametros", "pix"], {
    parametros: object(["inicio", "fim", "paginacao"], {
      inicio: instant,
      fim: instant,
      paginacao: object(["paginaAtual", "itensPorPagina", "quantidadeDePaginas", "quantidadeTotalDeItens"], {
        paginaAtual: { type: "integer", minimum: 0 },
        itensPorPagina: { type: "integer", minimum: 1 },
        quantidadeDePaginas: { type: "integer", minimum: 1 },
        quantidadeTotalDeItens: { type: "integer", minimum: 0 },
      }),
    }),
    pix: { type: "array", items: ref("Pix") },
  }),
  DevolucaoSolicitada: object(["valor"], { valor: amount, descricao: { type: "string", maxLength: 140 } }, closed),
  Devolucao: object(["id", "rtrId", "valor", "horario", "status"], {
    id: text("^[a-zA-Z0-9]{1,35}$"),
    rtrId: text("^[a-zA-Z0-9]{32}$"),
    valor: amount,
    natureza: { enum: ["ORIGINAL", "RETIRADA", "MED_OPERACIONAL", "MED_FRAUDE", "MED_PIX_AUTOMATICO"] },
    horario: object([], { solicitacao: instant, liquidacao: instant }),
    status: { enum: ["EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO"] },
    descricao: { type: "string", maxLength: 140 },
    motivo: { type: "string", maxLength: 140 },
  }),
  WebhookSolicitado: object(["webhookUrl"], { webhookUrl: { type: "string" } }, closed),
  WebhookCompleto: object(["webhookUrl", "cnpj", "criacao"], {
    webhookUrl: { type: "string" },
    cnpj: text("^[0-9A-Z]{14}$"),
    criacao: instant,
  }),
  Notificacao: object(["pix"], { pix: { type: "array", minItems: 1, items: ref("Pix") } }),
  Problema: object(["type", "title", "status"], {
    type: text("^https://pix\\.bcb\\.gov\\.br/api/v2/error/[A-Za-z]+$"),
    title: { type: "string" },
    status: { type: "integer" },
    violacoes: { type: "array", items: object([], { razao: { type: "string" }, propriedade: { type: "string" } }) },
  }),
}

export type DefinitionName = keyof typeof definitions

/** The schemas of a call and its answer. A body without a schema must be empty. */
export interface OperationSchemas {
  readonly method: string
  readonly path: RegExp
  readonly request?: DefinitionName
  readonly status: number
  readonly answer?: DefinitionName
}

const id = "[a-zA-Z0-9]+"

export const operations: ReadonlyArray<OperationSchemas> = [
  { method: "PUT", path: new RegExp(`^/cob/${id}$`), request: "CobSolicitada", status: 201, answer: "CobCompleta" },
  { method: "GET", path: new RegExp(`^/cob/${id}$`), status: 200, answer: "CobCompleta" },
  { method: "PATCH", path: new RegExp(`^/cob/${id}$`), request: "CobRevisada", status: 200, answer: "CobCompleta" },
  { method: "PUT", path: new RegExp(`^/cobv/${id}$`), request: "CobVSolicitada", status: 201, answer: "CobVCompleta" },
  { method: "GET", path: new RegExp(`^/cobv/${id}$`), status: 200, answer: "CobVCompleta" },
  { method: "PATCH", path: new RegExp(`^/cobv/${id}$`), request: "CobVRevisada", status: 200, answer: "CobVCompleta" },
  { method: "GET", path: /^\/pix$/, status: 200, answer: "PixConsultados" },
  { method: "GET", path: new RegExp(`^/pix/${id}$`), status: 200, answer: "Pix" },
  {
    method: "PUT",
    path: new RegExp(`^/pix/${id}/devolucao/${id}$`),
    request: "DevolucaoSolicitada",
    status: 201,
    answer: "Devolucao",
  },
  { method: "GET", path: new RegExp(`^/pix/${id}/devolucao/${id}$`), status: 200, answer: "Devolucao" },
  { method: "PUT", path: /^\/webhook\/[^/]+$/, request: "WebhookSolicitado", status: 200 },
  { method: "GET", path: /^\/webhook\/[^/]+$/, status: 200, answer: "WebhookCompleto" },
  { method: "DELETE", path: /^\/webhook\/[^/]+$/, status: 204 },
]
