/**
 * Pix Automático of API Pix 2.9.0 as JSON Schema, with known defects corrected: anchored patterns, and `required` with existing
 * fields.
 */

const object = (required: ReadonlyArray<string>, properties: object = {}) => ({ type: "object", required, properties })
const text = (pattern: string) => ({ type: "string", pattern })
const short = (maxLength: number) => ({ type: "string", minLength: 1, maxLength })
const list = (items: object) => ({ type: "array", minItems: 1, items })

const instant = text("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$")
const day = text("^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$")
const amount = text("^\\d{1,10}\\.\\d{2}$")
const txid = text("^[a-zA-Z0-9]{26,35}$")
const idRec = text("^R[RN][0-9A-Z]{8}\\d{8}[a-zA-Z0-9]{11}$")
const ispb = text("^[0-9A-Z]{8}$")

const cpf = text("^\\d{11}$")
const cnpj = text("^[0-9A-Z]{14}$")
const taxId = { oneOf: [object(["cpf"], { cpf }), object(["cnpj"], { cnpj })] }
const person = { allOf: [taxId, object(["nome"], { nome: short(140) })] }
const company = object(["cnpj", "nome"], { cnpj, nome: short(140) })

const changes = (statuses: ReadonlyArray<string>) =>
  list({ ...object(["status", "data"], { status: { enum: statuses }, data: instant }), additionalProperties: false })

const cause = (codes: ReadonlyArray<string>, more: ReadonlyArray<string> = []) =>
  object([...more, "codigo", "descricao"], {
    solicitante: { enum: ["PSP_PAGADOR", "USUARIO_PAGADOR", "PSP_RECEBEDOR", "USUARIO_RECEBEDOR"] },
    codigo: { enum: codes },
    descricao: short(400),
  })

const ending = (rejections: ReadonlyArray<string>, cancellations: ReadonlyArray<string>) => ({
  oneOf: [
    object(["rejeicao"], { rejeicao: cause(rejections) }),
    object(["cancelamento"], { cancelamento: cause(cancellations, ["solicitante"]) }),
  ],
})

const recStatuses = ["CRIADA", "APROVADA", "REJEITADA", "EXPIRADA", "CANCELADA"]
const recFields = {
  idRec,
  status: { enum: recStatuses },
  atualizacao: changes(recStatuses),
  encerramento: ending(["AP13", "AP14"], ["ACCL", "CPCL", "DCSD", "ERSL", "FRUD", "PCFD", "SLCR", "SLDB"]),
  ativacao: object(["tipoJornada"], {
    tipoJornada: { enum: ["JORNADA_1", "JORNADA_2", "JORNADA_3", "JORNADA_4", "AGUARDANDO_DEFINICAO"] },
    dadosJornada: object(["txid"], { txid }),
  }),
}

const policy = { enum: ["NAO_PERMITE", "PERMITE_3R_7D"] }
const recTerms = {
  idRec,
  vinculo: object(["contrato", "devedor"], { contrato: short(35), objeto: short(35), devedor: person }),
  calendario: object(["dataInicial", "periodicidade"], {
    dataInicial: day,
    dataFinal: day,
    periodicidade: { enum: ["SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"] },
  }),
  valor: object([], { valorRec: amount, valorMinimoRecebedor: amount }),
  politicaRetentativa: policy,
}

const location = object(["id", "location", "criacao"], {
  id: { type: "integer" },
  location: { ...text("^[^:]+$"), maxLength: 77 },
  criacao: instant,
  idRec,
})

const requestStatuses = ["CRIADA", "ENVIADA", "RECEBIDA", "REJEITADA", "ACEITA", "EXPIRADA", "CANCELADA"]
const request = object(["idSolicRec", "idRec", "calendario", "destinatario", "status", "atualizacao", "recPayload"], {
  idSolicRec: text("^SC[0-9A-Z]{8}\\d{8}[a-zA-Z0-9]{11}$"),
  idRec,
  calendario: object(["dataExpiracaoSolicitacao"], { dataExpiracaoSolicitacao: instant }),
  destinatario: {
    allOf: [
      taxId,
      object(["conta", "ispbParticipante"], { conta: short(20), agencia: short(4), ispbParticipante: ispb }),
    ],
  },
  status: { enum: requestStatuses },
  atualizacao: changes(requestStatuses),
  recPayload: object(["idRec", "vinculo", "calendario", "recebedor", "politicaRetentativa", "atualizacao"], {
    ...recTerms,
    recebedor: { allOf: [company, object(["ispbParticipante"], { ispbParticipante: ispb })] },
  }),
})

const rec = object(
  ["idRec", "vinculo", "calendario", "politicaRetentativa", "status", "recebedor", "atualizacao", "ativacao"],
  { ...recTerms, ...recFields, recebedor: company, loc: location },
)
const lookedUp = object(["idRec"], {
  pagador: {
    allOf: [taxId, object(["ispbParticipante", "codMun"], { ispbParticipante: ispb, codMun: text("^\\d{7}$") })],
  },
  solicitacao: list(request),
  dadosQR: object(["jornada", "pixCopiaECola"], {
    jornada: { enum: ["JORNADA_2", "JORNADA_3", "JORNADA_4"] },
    pixCopiaECola: short(512),
  }),
})

const rejections =
  "AB10 AC05 AC06 AM02 AM09 DENC DS27 DTED DTNT FBRD IRNT MIDI MSUC NIEC NIPA NITX QUNT RC09 UDEI".split(" ")
const attemptStatuses = ["SOLICITADA", "AGENDADA", "PAGA", "CANCELADA", "REJEITADA", "EXPIRADA"]
const cycleStatuses = ["CRIADA", "ATIVA", "CONCLUIDA", "EXPIRADA", "REJEITADA", "CANCELADA"]
const cycleFields = {
  idRec,
  txid,
  status: { enum: cycleStatuses },
  atualizacao: changes(cycleStatuses),
  encerramento: ending(rejections, ["ACCT", "BLCK", "CCLD", "FAIL", "OTHR", "SLBD", "SLCR"]),
  tentativas: list(
    object(["dataLiquidacao", "tipo", "endToEndId", "status", "atualizacao"], {
      dataLiquidacao: day,
      tipo: { enum: ["AGND", "NTAG", "RIFL"] },
      status: { enum: attemptStatuses },
      endToEndId: text("^[a-zA-Z0-9]{32}$"),
      atualizacao: changes(attemptStatuses),
      rejeicao: cause(rejections),
    }),
  ),
  pix: list({
    ...object(["txid", "endToEndId", "valor", "horario"], { txid, valor: amount, horario: instant }),
    not: { anyOf: [{ required: ["chave"] }, { required: ["componentesValor"] }] },
  }),
}
const cycle = object(
  [
    "idRec",
    "txid",
    "status",
    "valor",
    "recebedor",
    "calendario",
    "ajusteDiaUtil",
    "politicaRetentativa",
    "atualizacao",
  ],
  {
    ...cycleFields,
    calendario: object(["criacao", "dataDeVencimento"], { criacao: day, dataDeVencimento: day }),
    valor: object(["original"], { original: amount }),
    ajusteDiaUtil: { type: "boolean" },
    infoAdicional: short(140),
    devedor: object([]),
    recebedor: {
      allOf: [
        company,
        object(["conta", "tipoConta"], {
          conta: short(20),
          tipoConta: { enum: ["CORRENTE", "POUPANCA", "PAGAMENTO"] },
        }),
      ],
    },
    politicaRetentativa: policy,
  },
)

const page = (name: string, items: object) =>
  object(["parametros", name], {
    parametros: object(["inicio", "fim", "paginacao"], { inicio: instant, fim: instant }),
    [name]: { type: "array", items },
  })

const wholeRec = { allOf: [rec, lookedUp] }

export const answers: ReadonlyArray<readonly [call: RegExp, status: number, body?: object]> = [
  [/^POST \/locrec$/, 201, location],
  [/^GET \/locrec$/, 200, page("loc", location)],
  [/^GET \/locrec\/\d+$/, 200, location],
  [/^DELETE \/locrec\/\d+\/idRec$/, 200, location],
  [/^POST \/rec$/, 201, rec],
  [/^GET \/rec$/, 200, page("recs", wholeRec)],
  [/^GET \/rec\/\w+$/, 200, wholeRec],
  [/^PATCH \/rec\/\w+$/, 200, rec],
  [/^POST \/solicrec$/, 201, request],
  [/^GET \/solicrec\/\w+$/, 200, request],
  [/^PATCH \/solicrec\/\w+$/, 201, request],
  [/^(PUT \/cobr\/\w+|POST \/cobr)$/, 201, cycle],
  [/^GET \/cobr$/, 200, page("cobsr", cycle)],
  [/^(GET|PATCH) \/cobr\/\w+$/, 200, cycle],
  [/^POST \/cobr\/\w+\/retentativa\/[\d-]+$/, 201, { allOf: [cycle, object(["tentativas"])] }],
  [/^PUT \/webhook(rec|cobr)$/, 200],
  [/^GET \/webhook(rec|cobr)$/, 200, object(["webhookUrl", "criacao"], { webhookUrl: short(200), criacao: instant })],
  [/^DELETE \/webhook(rec|cobr)$/, 204],
]

/** The schemas of notices by the end of their URL. */
export const notices = {
  "/rec": object(["recs"], { recs: list(object(["idRec", "status", "atualizacao"], recFields)) }),
  "/cobr": object(["cobsr"], { cobsr: list(object(["idRec", "txid", "status", "atualizacao"], cycleFields)) }),
}

export const problemBody = object(["type", "title", "status"], {
  type: text("^https://pix\\.bcb\\.gov\\.br/api/v2/error/[A-Za-z]+$"),
  title: short(100),
  status: { type: "integer" },
})
