import type { Reply } from "@pixcharge/core"
import { fold, formatsFor, type Html, html, pageReply, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext, Notice } from "../context/ConsoleContext.ts"
import { consoleCss, consoleJs } from "../assets.ts"

const hour = 3_600_000

export const clockSteps = [
  ["10 minutes", hour / 6],
  ["1 hour", hour],
  ["1 day", 24 * hour],
  ["1 week", 168 * hour],
] as const

/** The user of the form tokens. A console has only one user. */
export const who = "developer"

/** The form token, and the page that the form's action returns to. */
export const formFields = async ({ csrf }: Pick<ConsoleContext, "csrf">, back: string): Promise<Html> =>
  html`<input type="hidden" name="csrf" value="${await csrf.token(who)}" /><input
      type="hidden"
      name="back"
      value="${back}"
    />`

export interface ConsolePage {
  readonly title: string
  readonly section: "charges" | "recurrences" | "events" | "calls"
  /** The page's link from the root. */
  readonly path: string
  readonly content: Html
  readonly status?: number
  /** A notice to show instead of the notice that the address names. */
  readonly notice?: Notice | undefined
}

export const formats = formatsFor("en")

const navigation = ({ options, pix }: ConsoleContext, root: string, section: ConsolePage["section"]): Html => {
  const entry = (name: string, path: string, text: string) =>
    name === section
      ? html`<li><a href="${root}${path}" aria-current="page">${text}</a></li>`
      : html`<li><a href="${root}${path}">${text}</a></li>`
  return html`<nav aria-label="Console">
    <ul class="nav">
      ${entry("charges", "", "Charges")}
      ${pix.hasRecurrences && entry("recurrences", "console/recurrences", "Recurrences")}
      ${entry("events", "console/events", "Events")} ${entry("calls", "console/calls", "Calls")}
      ${options.portal !== undefined && html`<li><a href="${root}${options.portal}">Portal</a></li>`}
    </ul>
  </nav>`
}

const clock = async (context: ConsoleContext, root: string, path: string): Promise<Html> => {
  const now = context.pix.clock.now()
  const aheadMs = now - Date.now()
  return html`<section class="clock" aria-labelledby="clock-title">
    <div id="clock-now" data-live>
      <h2 id="clock-title" class="figure-label">Business time in Brasília</h2>
      <p class="clock-time">
        <time datetime="${new Date(now).toISOString()}">${formats.dateTime(now)}</time>
        ${
          aheadMs > 60_000 &&
          html`<span class="badge" data-tone="info"
            >${formats.relative(now, Date.now()).replace("in ", "")} ahead</span
          >`
        }
      </p>
    </div>
    ${fold(
      "Move the clock",
      html`<form method="post" action="${root}console/clock" class="row" data-busy>
        ${await formFields(context, path)}
        <span class="muted" id="clock-move">Move on by</span>
        ${clockSteps.map(
          ([text], index) =>
            html`<button class="button button-small" name="by" value="${text}" id="clock-step-${index}">
              ${text}
            </button>`,
        )}
      </form>`,
    )}
  </section>`
}

const renderNotice = (notice: Notice | undefined): Html =>
  html`<div role="status" class="notice" data-tone="${notice?.tone ?? "info"}">${notice?.text}</div>`

/** A whole page. The script updates the parts that have `data-live` and an id. */
export const frame = async (
  context: ConsoleContext,
  { root, query }: Pick<PageRequest, "root" | "query">,
  { title, section, path, content, status, notice }: ConsolePage,
): Promise<Reply> =>
  pageReply({
    title: `${title} · pixcharge console`,
    lang: "en",
    root,
    styles: [consoleCss],
    scripts: [consoleJs],
    ...(status !== undefined && { status }),
    body: html`<a class="skip-link" href="#main">Skip to the content</a>
      <header class="topbar">
        <div>
          <a class="brand" href="${root || "./"}">pixcharge <span>console</span></a>
          ${navigation(context, root, section)}
          <p class="live" id="live" role="status" data-feed="${root}console/live"></p>
        </div>
      </header>
      <main class="page" id="main" tabindex="-1">
        ${await clock(context, root, path)} ${renderNotice(notice ?? context.notices.find(query.get("notice")))}
        ${content}
      </main>`,
  })
