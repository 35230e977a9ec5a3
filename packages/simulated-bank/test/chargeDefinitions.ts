/** The charges, locations and webhooks of API Pix 2.9.0 as JSON Schema, with known defects corrected. */

const object = (required: ReadonlyArray<string>, properties: object = {}) => ({ type: "object", required, properties })
const text = (pattern: string) => ({ type: "string", pattern })
const short = (maxLength: number) => ({ type: "string", minLength: 1, maxLength })

const instant = text("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$")
const amount = text("^\\d{1,10}\\.\\d{2}$")
const whole = { type: "integer", minimum: 0 }

const location = {
  ...object(["id", "location", "tipoCob", "criacao"], {
    id: whole,
    location: short(77),
    tipoCob: { enum: ["cob", "cobv"] },
    criacao: instant,
    txid: text("^[a-zA-Z0-9]{26,35}$"),
  }),
  additionalProperties: false,
}

const bare = { allOf: [location, { not: { required: ["txid"] } }] }

const charge = object(["calendario", "txid", "revisao", "status", "valor", "chave"], {
  calendario: object(["criacao"], {
    criacao: instant,
    expiracao: { ...whole, minimum: 1 },
    validadeAposVencimento: whole,
  }),
  txid: text("^[a-zA-Z0-9]{26,35}$"),
  revisao: whole,
  status: { enum: ["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"] },
  valor: object(["original"], { original: amount }),
  chave: short(77),
  loc: bare,
  location: short(77),
  pixCopiaECola: short(512),
  solicitacaoPagador: short(140),
})

const webhook = object(["webhookUrl", "cnpj", "criacao"], { webhookUrl: short(200), criacao: instant })

const page = (name: string, items: object) =>
  object(["parametros", name], {
    parametros: object(["inicio", "fim", "paginacao"], {
      inicio: instant,
      fim: instant,
      paginacao: object(
        ["paginaAtual", "itensPorPagina", "quantidadeDePaginas", "quantidadeTotalDeItens"],
        Object.fromEntries(
          ["paginaAtual", "itensPorPagina", "quantidadeDePaginas", "quantidadeTotalDeItens"].map((one) => [one, whole]),
        ),
      ),
    }),
    [name]: { type: "array", items },
  })

export const chargeAnswers: ReadonlyArray<readonly [call: RegExp, status: number, body?: object]> = [
  [/^(POST \/cob|PUT \/cobv?\/\w+)$/, 201, charge],
  [/^(GET|PATCH) \/cobv?\/\w+$/, 200, charge],
  [/^GET \/cobv?\/?$/, 200, page("cobs", charge)],
  [/^POST \/loc$/, 201, bare],
  [/^GET \/loc\/\d+$/, 200, location],
  [/^DELETE \/loc\/\d+\/txid$/, 200, bare],
  [/^GET \/loc$/, 200, page("loc", location)],
  [/^PUT \/webhook\/[^/]+$/, 200],
  [/^GET \/webhook\/[^/]+$/, 200, webhook],
  [/^DELETE \/webhook\/[^/]+$/, 204],
  [/^GET \/webhook$/, 200, page("webhooks", webhook)],
]
