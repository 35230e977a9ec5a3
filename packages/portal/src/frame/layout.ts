import type { Reply } from "@pixcharge/core"
import { formatTaxId, type Html, html, pageReply } from "@pixcharge/web"
import { portalCss, portalJs } from "../assets.ts"
import { busyText, liveLine } from "./liveLine.ts"
import type { PortalCompany } from "./Access.ts"
import type { Content, Crumb, View } from "./View.ts"
import type { Problem } from "./errorTexts.ts"
import { sectionsFor } from "./sections.ts"

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

const mainId = "main"

export const companyName = ({ name, cnpj }: PortalCompany): string => name ?? formatTaxId(cnpj)

export const companyLinks = (
  companies: ReadonlyArray<PortalCompany>,
  root: string,
  path = "",
  current?: string,
): Html =>
  html`<ul class="company-links">
    ${companies.map(
      (company) =>
        html`<li>
          <a href="${root}${company.cnpj}${path}" ${company.cnpj === current && html`aria-current="true"`}>
            <span>${companyName(company)}</span>
            ${company.name !== undefined && html`<small class="muted">${formatTaxId(company.cnpj)}</small>`}
          </a>
        </li>`,
    )}
  </ul>`

const companySwitch = ({ companies, company, companyName: name, root }: View, sectionPath: string): Html =>
  companies.length < 2
    ? html`<span class="company-name">${name}</span>`
    : html`<details class="company-switch">
        <summary><span class="visually-hidden">${frameTexts.changeCompany}: </span>${name}</summary>
        <nav aria-label="${frameTexts.companies}">${companyLinks(companies, root, sectionPath, company)}</nav>
      </details>`

const breadcrumbs = (view: View, crumbs: ReadonlyArray<Crumb>, title: string): Html =>
  html`<nav aria-label="${frameTexts.youAreHere}">
    <ol class="breadcrumbs">
      ${crumbs.map((crumb) => html`<li><a href="${view.link(crumb.path)}">${crumb.title}</a></li>`)}
      <li aria-current="page">${title}</li>
    </ol>
  </nav>`

const skipLink = html`<a class="skip-link" href="#${mainId}">${frameTexts.skip}</a>`

const sectionLinks = (view: View): Html =>
  html`<nav class="portal-sections" aria-label="${frameTexts.mainNavigation}">
    <ul class="nav">
      ${sectionsFor(view).map(
        ({ id, path, title }) =>
          html`<li>
            <a href="${view.link(path)}" ${id === view.section && html`aria-current="page"`}>${title}</a>
          </li>`,
      )}
    </ul>
  </nav>`

/** The notice's element always exists: screen readers announce only changes. */
const layout = (view: View, { title, badge, crumbs = [], body, shown }: Content, notice: string | undefined): Html => {
  const current = sectionsFor(view).find(({ id }) => id === view.section)
  return html`${skipLink}
    <header class="topbar">
      <div class="portal-bar">
        <a class="portal-brand" href="${view.link()}">${frameTexts.portal}</a>
        ${companySwitch(view, current?.path ?? "")}
        <span class="portal-who"><span class="visually-hidden">${frameTexts.signedInAs}: </span>${view.who}</span>
      </div>
      ${sectionLinks(view)}
    </header>
    <main class="page" id="${mainId}" tabindex="-1" data-busy="${busyText}">
      ${crumbs.length > 0 && breadcrumbs(view, crumbs, title)}
      ${
        badge === undefined
          ? html`<h1>${title}</h1>`
          : html`<div class="row">
              <h1>${title}</h1>
              ${badge}
            </div>`
      }
      <div role="status" class="notice" data-tone="good">${notice}</div>
      ${body} ${shown !== undefined && liveLine(shown)}
    </main>`
}

const bareLayout = ({ title, body }: Content): Html =>
  html`${skipLink}
    <header class="topbar">
      <div class="portal-bar"><span class="portal-brand">${frameTexts.portal}</span></div>
    </header>
    <main class="page page-narrow" id="${mainId}" tabindex="-1">
      <h1>${title}</h1>
      ${body}
    </main>`

const retryAfterSeconds = "5"

const statusFields = ({ status = 200 }: Content) => ({
  status,
  ...((status === 429 || status === 503) && { headers: { "retry-after": retryAfterSeconds } }),
})

export const viewReply = (view: View, content: Content, notice?: string): Promise<Reply> =>
  pageReply({
    title: `${content.title} · ${view.companyName} · ${frameTexts.portal}`,
    lang: "pt-BR",
    root: view.root,
    styles: [portalCss, ...(content.styles ?? [])],
    scripts: [portalJs],
    ...statusFields(content),
    body: layout(view, content, notice),
  })

export const bareReply = (root: string, content: Content): Promise<Reply> =>
  pageReply({
    title: `${content.title} · ${frameTexts.portal}`,
    lang: "pt-BR",
    root,
    styles: [portalCss],
    ...statusFields(content),
    body: bareLayout(content),
  })

const problemContent = ({ status, title, text }: Problem): Content => ({
  status,
  title,
  body: html`<p class="notice" data-tone="bad">${text}</p>`,
})

export const viewProblem = (view: View, problem: Problem): Promise<Reply> => viewReply(view, problemContent(problem))

/** A problem without navigation. `signIn` is the address of the sign-in page. */
export const bareProblem = (root: string, problem: Problem, signIn?: string): Promise<Reply> => {
  const content = problemContent(problem)
  const body =
    signIn === undefined
      ? content.body
      : html`${content.body}
          <p><a class="button" href="${signIn}">${frameTexts.signIn}</a></p>`
  return bareReply(root, { ...content, body })
}
