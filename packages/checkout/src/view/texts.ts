import type { CheckoutState, CheckoutStatus } from "./CheckoutState.ts"

const titles: Readonly<Record<CheckoutStatus, string>> = {
  pending: "Pague com Pix",
  paid: "Pagamento confirmado",
  expired: "Pix expirado",
  refunding: "Devolução em andamento",
  refunded: "Pagamento devolvido",
  cancelled: "Cobrança cancelada",
}

/** An amount and the number of its verb: `R$ 1,00 foi devolvido`, `R$ 2,00 foram devolvidos`. */
export interface ReturnedAmount {
  readonly amount: string
  readonly isOne: boolean
}

const wereReturned = ({ amount, isOne }: ReturnedAmount, already = ""): string =>
  `${amount} ${already}${isOne ? "foi devolvido" : "foram devolvidos"}`

const areReturned = ({ amount, isOne }: ReturnedAmount): string =>
  `${amount} ${isOne ? "está sendo devolvido" : "estão sendo devolvidos"}`

export const atText = "às"

export const texts = {
  titles,
  loading: "Carregando a cobrança…",
  waiting: "Aguardando pagamento",
  paid: (amount: string, at: string) => `Recebemos ${amount} em ${at}. Obrigado!`,
  paidLate: "O pagamento chegou depois do prazo e foi aceito. Não pague de novo.",
  partlyReturned: (returned: ReturnedAmount) => `${wereReturned(returned, "já ")} à conta de origem.`,
  expired: (at: string) => `O prazo para pagar terminou em ${at}. Não use mais este código.`,
  refunding: (returned: ReturnedAmount) => `${areReturned(returned)} à conta de origem. Você não precisa fazer nada.`,
  refunded: (returned: ReturnedAmount) => `${wereReturned(returned)} à conta de origem.`,
  refundedAt: (returned: ReturnedAmount, at: string) => `${wereReturned(returned)} em ${at} à conta de origem.`,
  cancelled: "Esta cobrança foi cancelada por quem a emitiu. Não use mais este código.",
  toPay: "Valor a pagar",
  charged: "Valor cobrado",
  received: "Valor pago",
  copyTitle: "Pix Copia e Cola",
  copy: "Copiar código Pix",
  code: "Código Pix",
  copied: "Código copiado. Agora cole no app do seu banco.",
  notCopied:
    "Não foi possível copiar. O código está selecionado: toque nele e escolha Copiar, ou use Ctrl+C (no Mac, ⌘C).",
  linkCopied: "Link copiado.",
  linkNotCopied: "Não foi possível copiar. Copie o endereço desta página no navegador.",
  qrTitle: "QR Code",
  qrLabel: "QR Code Pix",
  qrHint: "Aponte a câmera do app do seu banco para o código.",
  stepsTitle: "Como pagar",
  steps: [
    "Abra o app do seu banco.",
    "Escolha Pix e depois Pix Copia e Cola ou Ler QR Code.",
    "Cole o código ou leia o QR Code, confira o valor e o recebedor e confirme o pagamento.",
  ],
  expiresIn: "Expira em",
  days: (count: number) => `${count} dias`,
  hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`,
  soonExpired: "Falta menos de um minuto. Se o prazo acabar, esta página mostra como continuar.",
  changed: {
    amount: (before: string, after: string) => `O valor mudou de ${before} para ${after}.`,
    dueDate: (before: string, after: string) => `O vencimento mudou de ${before} para ${after}.`,
    payableUntil: (at: string) => `O novo prazo para pagar é ${at}.`,
    code: "O código Pix mudou.",
    again: "Se você já copiou ou leu o código, copie ou leia de novo.",
  },
  offline: "Sem conexão. Assim que ela voltar, a situação do pagamento aparece aqui.",
  renew: "Gerar novo código",
  renewHint: "O novo código tem o mesmo valor e um novo prazo.",
  renewing: "Gerando um novo código…",
  notRenewed: "Não foi possível gerar um novo código. Tente de novo em alguns segundos.",
  askAgain: "Peça um novo código a quem enviou a cobrança.",
  paidAlready: "Já pagou? Não pague de novo: a confirmação aparece aqui assim que o banco avisar.",
  receipt: "Ver comprovante",
  original: "Valor original",
  abatement: "Abatimento",
  discount: "Desconto",
  interest: "Juros",
  fine: "Multa",
  total: "Total",
  totalOn: (day: string) => `Total hoje, ${day}`,
  dueDate: "Vencimento",
  moved: (day: string) => `passa para ${day}, o próximo dia útil`,
  payableUntil: "Pague até",
  brasilia: (at: string) => `${at}, horário de Brasília`,
  payee: "Recebedor",
  goneTitle: "Link inválido",
  gone: "Este link de pagamento não é mais válido. Peça um novo a quem enviou a cobrança.",
  notShown: "Não foi possível mostrar o pagamento aqui.",
  openPage: "Abrir a página de pagamento",
} as const

const pad2 = (value: number): string => String(value).padStart(2, "0")

const secondMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The time left to pay: `09:58`; from one hour `5 h 03 min`; from two days `3 dias`. */
export const clockText = (remainingMs: number): string => {
  const left = Math.max(0, remainingMs)
  const minutes = Math.trunc(left / 60_000) % 60
  if (left >= 2 * dayMs) return texts.days(Math.trunc(left / dayMs))
  if (left >= hourMs) return texts.hours(Math.trunc(left / hourMs), pad2(minutes))
  return `${pad2(minutes)}:${pad2(Math.trunc(left / secondMs) % 60)}`
}

/** WCAG 2.2.1 requires a warning at least 20 seconds before the expiry. */
const warningMs = 60_000

export const warningText = (remainingMs: number): string =>
  remainingMs > 0 && remainingMs <= warningMs ? texts.soonExpired : ""

/** The document's title: `Pague com Pix · Pedido 1042 · Livraria Aurora`. */
export const pageTitle = (
  { status, description }: Pick<CheckoutState, "status" | "description">,
  shopName: string,
): string => [texts.titles[status], description, shopName].filter((part) => part !== undefined).join(" · ")
