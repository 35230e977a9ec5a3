/** A part of the navigation. */
export interface Group {
  readonly title: string
  readonly portuguese: string
  /** Paths without `.md`: each is a page, a folder of pages, or both. A page that an entry names is in that place alone. */
  readonly entries: ReadonlyArray<string>
  /** For contributors: `llms-full.txt` omits it. */
  readonly isInternal?: true
}

/** The navigation, in its order. Titles are the pages' headings. */
export const navigation: ReadonlyArray<Group> = [
  {
    title: "Start",
    portuguese: "Começar",
    entries: ["README", "docs/README", "docs/first-steps", "docs/recipes", "docs/testing-your-host", "docs/faq"],
  },
  {
    title: "Charges",
    portuguese: "Cobranças",
    entries: ["docs/changes", "docs/lists", "docs/due-dates", "docs/br-code", "docs/rules"],
  },
  { title: "Pages", portuguese: "Páginas", entries: ["docs/checkout", "docs/portal", "docs/console"] },
  { title: "Events", portuguese: "Eventos", entries: ["docs/events"] },
  { title: "Refunds", portuguese: "Devoluções", entries: ["docs/refunds"] },
  { title: "Recurring charges", portuguese: "Cobranças recorrentes", entries: ["docs/recurring"] },
  { title: "Hosts", portuguese: "Hosts", entries: ["docs/hosts"] },
  {
    title: "Banks",
    portuguese: "Bancos",
    entries: ["docs/first-real-payment", "docs/api-pix", "docs/banks", "docs/bank-profiles"],
  },
  {
    title: "Operations",
    portuguese: "Operação",
    entries: ["docs/production", "docs/operations", "docs/scaling", "docs/upgrading"],
  },
  { title: "Security", portuguese: "Segurança", entries: ["docs/security", "SECURITY"] },
  {
    title: "Reference",
    portuguese: "Referência",
    entries: ["docs/interface", "docs/client", "docs/options", "docs/errors", "docs/packages", "packages"],
  },
  { title: "Internals", portuguese: "Por dentro", entries: ["docs/internals", "CONTRIBUTING"], isInternal: true },
]

/** The pages that are in both languages. */
export const translations: Readonly<Record<string, string>> = {
  "README.md": "README.pt-BR.md",
  "docs/first-steps.md": "docs/pt-BR/primeiros-passos.md",
  "docs/recipes.md": "docs/pt-BR/receitas.md",
  "docs/changes.md": "docs/pt-BR/alteracoes.md",
  "docs/checkout.md": "docs/pt-BR/checkout.md",
  "docs/events.md": "docs/pt-BR/eventos.md",
  "docs/recurring.md": "docs/pt-BR/recorrencias.md",
  "docs/first-real-payment.md": "docs/pt-BR/primeiro-pagamento.md",
  "docs/production.md": "docs/pt-BR/producao.md",
  "docs/interface.md": "docs/pt-BR/contrato.md",
  "docs/errors.md": "docs/pt-BR/erros.md",
  "docs/hosts/README.md": "docs/pt-BR/hosts.md",
  "docs/api-pix.md": "docs/pt-BR/api-pix.md",
  "docs/banks.md": "docs/pt-BR/bancos.md",
  "docs/operations/README.md": "docs/pt-BR/operacao.md",
  "docs/options.md": "docs/pt-BR/opcoes.md",
  "docs/faq.md": "docs/pt-BR/perguntas-frequentes.md",
}
