import * as Predicate from "effect/Predicate"
import type { RouteName } from "../wire/routes.ts"

/** The Portuguese texts of the OpenAPI document outside of its schemas. */

export const apiTexts = {
  title: "Serviço de cobranças PIX",
  description:
    "Emite cobranças PIX, imediatas ou com vencimento, diz se foram pagas, estorna e, só no sandbox, simula pagamentos. " +
    "O corpo de toda falha é { sucesso: false, errors }; programas leem o status e o cabeçalho Pix-Erro. " +
    "Toda operação pode ser repetida: a mesma requisição com o mesmo idFaturaPag não emite, não paga e não devolve duas vezes. " +
    "Campos novos podem aparecer nas respostas.",
  server: "O endereço em que o serviço está montado: um nível acima deste documento.",
  bearer: "O token obtido nas operações de token.",
} as const

export const tagTexts = {
  token: "Identificação da empresa: o token das outras chamadas.",
  pix: "Cobranças da empresa do token.",
} as const

export const operationTexts: Readonly<Record<RouteName, { readonly summary: string; readonly description: string }>> = {
  token: {
    summary: "Token pelo segredo no caminho",
    description:
      "O segredo é o CNPJ, uma barra vertical e a chave de integração, em UTF-8 e depois em Base64. " +
      "O caminho aparece em logs de acesso: prefira POST /api/token. O servidor pode fechar esta rota, que então responde 404.",
  },
  tokenByPost: {
    summary: "Token pelas credenciais no corpo",
    description:
      "O cabeçalho Authorization: Basic, com CNPJ, dois-pontos e chave em Base64, pode substituir o corpo, que então não é lido.",
  },
  issue: {
    summary: "Emite uma cobrança",
    description:
      "Sem dataVencimento, a cobrança é imediata; com esse campo, pode ser paga até o vencimento, adiado para o próximo dia útil, e nos dias seguintes que o cadastro da empresa define.  " +
      "Enquanto a cobrança puder ser paga ou estiver paga, a mesma requisição recebe a primeira resposta de novo.",
  },
  status: {
    summary: "Diz se a cobrança foi paga",
    description: "200: entregue a mercadoria. 410: consulte de novo, se pendente. 409: pare.",
  },
  simulate: {
    summary: "Simula o pagamento, só no sandbox",
    description:
      "O corpo não importa. Os centavos do valor escolhem o que acontece: 91 recusado, 92 pago sem resposta, 93 pago duas vezes, 94 pago com atraso, 95 pago sem aviso. " +
      "Em produção a rota não existe: 404.",
  },
  refund: {
    summary: "Estorna o pagamento inteiro",
    description:
      "200: o dinheiro voltou. 202: a devolução está em processamento no banco; repita o mesmo DELETE para saber o resultado.",
  },
}

export const parameterTexts = {
  segredoBase64: "CNPJ|chave em Base64, em qualquer dos dois alfabetos, com ou sem preenchimento.",
  idFaturaPag: "O UUID com que a cobrança foi emitida.",
} as const

/** Descriptions of failure statuses, which mean the same in all operations. */
export const statusTexts: Readonly<Record<number, string>> = {
  400: "A requisição está errada.",
  401: "As credenciais ou o token são inválidos.",
  403: "A empresa não pode emitir.",
  404: "Não encontrado.",
  405: "O caminho não aceita este método.",
  409: "O estado da cobrança não permite a operação.",
  410: "A cobrança não foi paga.",
  413: "O corpo é grande demais.",
  415: "O corpo não é JSON sem compressão.",
  422: "A simulação foi recusada.",
  429: "Muitas tentativas com credenciais inválidas.",
  500: "Erro interno.",
  502: "O processador de pagamentos recusou.",
  503: "Indisponível no momento: repita a mesma requisição.",
}

export const successTexts: Readonly<Record<RouteName, Readonly<Record<number, string>>>> = {
  token: { 200: "O token." },
  tokenByPost: { 200: "O token." },
  issue: { 200: "A cobrança emitida, agora ou antes." },
  status: { 200: "A cobrança está paga." },
  simulate: { 200: "O pagamento foi simulado, agora ou antes." },
  refund: { 200: "O dinheiro voltou.", 202: "O estorno foi aceito e está em andamento." },
}

export const headerTexts = {
  "Pix-Erro": "A causa, para programas.",
  "Retry-After": "Quantos segundos esperar antes de repetir.",
  "WWW-Authenticate": "O esquema de autenticação.",
  Allow: "Os métodos que o caminho aceita.",
} as const

const openObjects = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(openObjects)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => name !== "additionalProperties" || inner !== false)
      .map(([name, inner]) => [name, openObjects(inner)]),
  )
}

/**
 * Opens every object, because requests can have unknown keys (decision 5) and answers can get new keys.
 *
 * The document's address is the mount plus `/api/openapi.json`. The server's address is relative to it.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the type of Effect's annotation
export const describeDocument = ({ components, ...document }: Record<string, any>): Record<string, any> => ({
  ...document,
  servers: [{ url: "..", description: apiTexts.server }],
  components: {
    schemas: openObjects(components.schemas),
    securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: apiTexts.bearer } },
  },
})
