/** The texts of the frame of every page. */
export const frameTexts = {
  portal: "Portal Pix",
  skip: "Pular para o conteúdo",
  mainNavigation: "Seções",
  companies: "Empresas",
  changeCompany: "Trocar de empresa",
  chooseCompany: "Escolha a empresa",
  youAreHere: "Você está em",
  signedInAs: "Usuário",
  signIn: "Entrar de novo",
} as const

/** The sections of the navigation, by their ids. */
export const sectionTitles = {
  dashboard: "Painel",
  charges: "Cobranças",
  recurrences: "Recorrências",
  exceptions: "Sem cobrança",
  deliveries: "Eventos",
  endpoints: "Webhooks",
  reconciliation: "Conciliação",
  payers: "Pagadores",
  audit: "Auditoria",
} as const

/** A page that explains a refusal: its status, heading and sentence. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly text: string
}

/** Requests that the frame itself refuses. */
export const problems = {
  refused: {
    status: 403,
    title: "Acesso negado",
    text: "Você não tem acesso a este portal. Peça o acesso a quem administra o sistema.",
  },
  signedOut: {
    status: 403,
    title: "Sua sessão expirou",
    text: "Nada foi feito. Entre de novo e repita a operação.",
  },
  noRight: {
    status: 403,
    title: "Sem permissão",
    text: "Seu usuário não tem permissão para isso. Nada foi feito.",
  },
  notFound: {
    status: 404,
    title: "Página não encontrada",
    text: "Confira o endereço. A página pode não existir, ou você pode não ter acesso a ela.",
  },
  foreignForm: {
    status: 403,
    title: "Formulário recusado",
    text: "O formulário não veio desta página, ou a página ficou aberta por tempo demais. Nada foi feito: volte, recarregue a página e tente de novo.",
  },
  usedForm: {
    status: 409,
    title: "Formulário já enviado",
    text: "Este formulário já foi enviado com outros dados. Nada mais foi feito: volte, recarregue a página e confira a situação.",
  },
  tooManyPages: {
    status: 429,
    title: "Páginas demais abertas",
    text: "Há páginas demais abertas ao mesmo tempo. Esta é atualizada a cada 10 segundos. Feche as que você não está usando.",
  },
} as const satisfies Readonly<Record<string, Problem>>

/** Requests that no page can answer, by HTTP status. */
export const failureProblems: Readonly<Record<400 | 405 | 413 | 415 | 500, Problem>> = {
  400: { status: 400, title: "Requisição inválida", text: "Os dados recebidos não são de um formulário desta página." },
  405: { status: 405, title: "Requisição inválida", text: "Este endereço não recebe formulários. Nada foi feito." },
  413: {
    status: 413,
    title: "Texto longo demais",
    text: "O formulário é longo demais. Encurte o texto e tente de novo.",
  },
  415: { status: 415, title: "Requisição inválida", text: "Os dados recebidos não são de um formulário desta página." },
  500: {
    status: 500,
    title: "Algo deu errado",
    text: "Não foi possível abrir esta página. Tente de novo em instantes. Se o problema continuar, avise quem administra o sistema.",
  },
}
