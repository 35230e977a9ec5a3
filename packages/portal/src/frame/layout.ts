import { formatTaxId, type Html, html } from "@pixcharge/web"
import { busyText } from "../live/liveTexts.ts"
import { liveLine } from "../live/liveLine.ts"
import type { PortalCompany } from "./Access.ts"
import type { Content, Crumb } from "./Content.ts"
import { frameTexts } from "./frameTexts.ts"
import { sectionsFor } from "./sections.ts"
import type { View } from "./View.ts"

/** The id of `main`, for the link that skips the navigation. */
const mainId = "main"

export const companyName = ({ name, cnpj }: PortalCompany): string => name ?? formatTaxId(cnpj)

/** Links to the start of each company, or to its page at `path`. */
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

/** The body of a company's page. The element of the notice is always there, so that screen readers announce its text. */
export const layout = (
  view: View,
  { title, badge, crumbs = [], body, shown }: Content,
  notice: string | undefined,
): Html => {
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

/** The body of a page that says nothing of any company. */
export const bareLayout = ({ title, body }: Content): Html =>
  html`${skipLink}
    <header class="topbar">
      <div class="portal-bar"><span class="portal-brand">${frameTexts.portal}</span></div>
    </header>
    <main class="page page-narrow" id="${mainId}" tabindex="-1">
      <h1>${title}</h1>
      ${body}
    </main>`
