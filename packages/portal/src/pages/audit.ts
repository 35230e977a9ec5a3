import type { AuditChange, AuditRecord } from "@pixcharge/core"
import type { CompanyFacts } from "@pixcharge/core/directory"
import type { CycleRange } from "@pixcharge/core/recurrence"
import { formatTaxId, type Html, html } from "@pixcharge/web"
import { page, type PortalRoute } from "../frame/PortalRoute.ts"
import type { Content, View } from "../frame/View.ts"
import { field, type FieldProblem } from "../parts/field.ts"
import { formats, several } from "../parts/formats.ts"
import { choiceField, type Column, cursorField, filterForm, listTable, pager } from "../parts/list.ts"
import { fromField, type PeriodChoice, periodQuery, periodText, readPeriod, untilField } from "../parts/period.ts"

const { day, moment, reais } = formats

export const changeNames: Readonly<Record<AuditChange["kind"], string>> = {
  companyRegistered: "Empresa cadastrada",
  resellerRegistered: "Revenda cadastrada",
  companyRemoved: "Empresa removida",
  resellerRemoved: "Revenda removida",
  companyChanged: "Cadastro da empresa alterado",
  resellerChanged: "Cadastro da revenda alterado",
  walletActivated: "Carteira Pix ativada",
  walletDeactivated: "Carteira Pix desativada",
  associationBegun: "Associação com revenda iniciada",
  associationEnded: "Associação com revenda encerrada",
  keySet: "Chave de integração definida",
  keyReplaced: "Chave de integração trocada",
  keyRevoked: "Chave de integração revogada",
  endpointSet: "Webhook definido",
  endpointRemoved: "Webhook removido",
  endpointReplaced: "Webhook trocado",
  endpointPaused: "Webhook pausado",
  endpointResumed: "Webhook reativado",
  endpointDisabled: "Webhook desativado pelo destino",
  eventsReplayed: "Eventos reenviados",
  testEventSent: "Evento de teste enviado",
  issueRequested: "Emissão de cobrança solicitada",
  refundRequested: "Devolução total solicitada",
  partialRefundRequested: "Devolução parcial solicitada",
  chargeChanged: "Alteração de cobrança solicitada",
  chargeCancelled: "Cobrança cancelada",
  recurrenceOffered: "Recorrência oferecida",
  recurrenceEndRequested: "Encerramento de recorrência solicitado",
  cycleCharged: "Ciclo cobrado",
  cyclesSkipped: "Ciclos pulados",
  retryRequested: "Nova tentativa solicitada",
  exceptionRefundRequested: "Devolução de pagamento sem cobrança solicitada",
  exceptionResolved: "Pagamento mantido",
  payerShown: "Dados do pagador consultados",
  payerExported: "Dados do pagador exportados",
  payerErased: "Dados do pagador apagados",
  reconcileRequested: "Conciliação solicitada",
}

/** A fact of a later version is shown by its key. The wallet has its own kinds of change. */
const factNames: Readonly<Record<Exclude<keyof CompanyFacts, "cnpj" | "walletActive">, string>> = {
  name: "nome",
  city: "cidade",
  pixKey: "chave Pix",
  ownBankDomicile: "domicílio bancário",
  graceDays: "dias para pagar após o vencimento",
  fees: "multa, juros, abatimento e desconto",
  genericPayer: "pagador genérico",
  localHolidays: "feriados locais",
}

const rangeText = ([from, to]: CycleRange): string => (from === to ? `ciclo ${from}` : `ciclos ${from} a ${to}`)

export const changeDetail = (change: AuditChange): string | undefined => {
  switch (change.kind) {
    case "companyChanged":
    case "resellerChanged":
      return change.facts
        .map((fact) => (factNames as Readonly<Partial<Record<string, string>>>)[fact] ?? fact)
        .join("; ")
    case "associationBegun":
    case "associationEnded":
      return formatTaxId(change.reseller)
    case "walletActivated":
    case "walletDeactivated":
      return change.of === "company" ? "da empresa" : "da revenda"
    case "endpointSet":
    case "endpointRemoved":
      return change.host
    case "endpointReplaced":
      return `de ${change.hostBefore} para ${change.host}`
    case "endpointPaused":
    case "endpointResumed":
    case "endpointDisabled":
    case "testEventSent":
      return change.endpointId
    case "eventsReplayed": {
      const deliveries = several(change.deliveries, "envio", "envios")
      return change.name === undefined ? deliveries : `${change.name}: ${deliveries}`
    }
    case "partialRefundRequested":
      return change.hasReason === true ? `${reais(change.amountCents)}, com motivo` : reais(change.amountCents)
    case "refundRequested":
    case "exceptionRefundRequested":
      return change.hasReason === true ? "com motivo" : undefined
    case "cycleCharged":
      return `ciclo ${change.cycle}`
    case "cyclesSkipped":
      return rangeText(change.cycles)
    case "retryRequested":
      return day(change.on)
    case "exceptionResolved":
      return change.hasNote ? "com nota" : "sem nota"
    case "payerExported":
    case "payerErased":
      return [
        several(change.charges, "cobrança", "cobranças"),
        ...(change.recurrences === undefined ? [] : [several(change.recurrences, "recorrência", "recorrências")]),
        ...("keepReference" in change ? ["referência mantida"] : []),
      ].join(" e ")
    case "reconcileRequested":
      return `de ${moment(change.from)} a ${moment(change.until)}`
    default:
      return undefined
  }
}

const changePath = (change: AuditChange): string | undefined => {
  if ("recurrenceId" in change) return `/recorrencias/${change.recurrenceId}`
  if ("chargeId" in change) return `/cobrancas/${change.chargeId}`
  if ("endToEndId" in change) return `/excecoes/${encodeURIComponent(change.endToEndId)}`
  return undefined
}

const renderChange = ({ link }: View, { change }: AuditRecord): Html => {
  const [name, path] = [changeNames[change.kind], changePath(change)]
  return path === undefined ? html`${name}` : html`<a href="${link(path)}">${name}</a>`
}

const columnsFor = (view: View): ReadonlyArray<Column<AuditRecord>> => [
  { title: "Quando", cell: ({ at }) => formats.dateTime(at) },
  { title: "Quem", cell: ({ by }) => by ?? html`<span class="muted">o sistema</span>` },
  { title: "O quê", onPhone: "title", cell: (record) => renderChange(view, record) },
  {
    title: "Detalhe",
    onPhone: "rest",
    cell: ({ change }) => html`<span class="break">${changeDetail(change) ?? "—"}</span>`,
  },
]

export const auditTable = (caption: string, records: ReadonlyArray<AuditRecord>, view: View): Html =>
  listTable(caption, columnsFor(view), records, "Nenhum registro com estes filtros.")

const pageLength = 50
const kindField = "tipo"
const byField = "quem"

const kinds = (Object.keys(changeNames) as ReadonlyArray<AuditChange["kind"]>).toSorted((a, b) =>
  changeNames[a].localeCompare(changeNames[b], "pt-BR"),
)

interface Input {
  /** Undefined for all records, because records have real time, which can differ widely from a sandbox's clock. */
  readonly period: PeriodChoice | undefined
  readonly kind: AuditChange["kind"] | undefined
  readonly by: string
}

const readInput = ({ query, now }: View): Input => {
  const [from, until] = [query.get(fromField), query.get(untilField)]
  return {
    period: from || until ? readPeriod({ from, until }, { days: 1 }, now) : undefined,
    kind: kinds.find((each) => each === query.get(kindField)),
    by: query.get(byField)?.trim() ?? "",
  }
}

const dayField = (name: string, label: string, value: string | undefined, problem: FieldProblem | undefined): Html =>
  field({ name, label, problem }, (attributes) => html`<input type="date" ${attributes} value="${value}" />`)

const filter = (view: View, { period, kind, by }: Input): Html =>
  filterForm(
    view.link("/auditoria"),
    html`${dayField(fromField, "De", period?.from, period?.problem)}
    ${dayField(untilField, "Até", period?.until, period?.problem)}
    ${choiceField(kindField, "O quê", [["", "Tudo"], ...kinds.map((each) => [each, changeNames[each]] as const)], kind ?? "")}
    ${field(
      { name: byField, label: "Quem", hint: "O nome inteiro, como aparece na lista." },
      (attributes) => html`<input ${attributes} value="${by}" autocomplete="off" spellcheck="false" />`,
    )}`,
  )

const renderList = async (view: View, { period, kind, by }: Input): Promise<Awaited<Html>> => {
  const cursor = view.query.get(cursorField) ?? undefined
  const { items, cursor: next } = await view.pix.audit.list(
    view.company,
    {
      ...(period !== undefined && { period: period.period }),
      ...(kind !== undefined && { kind }),
      ...(by !== "" && { by }),
    },
    { limit: pageLength, ...(cursor !== undefined && { cursor }) },
  )
  const fields = {
    ...(period !== undefined && periodQuery(period)),
    [kindField]: kind ?? "",
    [byField]: by,
  }
  const when = period === undefined ? "Desde o início, no horário de Brasília" : periodText(period)
  return html`${auditTable(`${when}, do mais recente ao mais antigo`, items, view)}
  ${pager({ query: view.query, path: view.link("/auditoria"), fields, next })}`
}

const auditList = (view: View): Content => {
  const input = readInput(view)
  const isWrong = input.period?.problem !== undefined
  return {
    title: "Auditoria",
    ...(isWrong && { status: 422 }),
    body: html`<p class="muted">Quem fez o quê, e quando. Nenhum registro é alterado ou apagado.</p>
      ${filter(view, input)} ${!isWrong && renderList(view, input)}`,
  }
}

export const auditRoutes: ReadonlyArray<PortalRoute> = [page("/auditoria", { section: "audit" }, auditList)]
