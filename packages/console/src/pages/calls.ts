import type { Reply } from "@pixcharge/core"
import { type Html, html, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import type { RecordedCall } from "../calls/RecordedCall.ts"
import { sentencePage } from "./failurePage.ts"
import { formats, formFields, frame } from "./frame.ts"
import { headerList, httpBadge, readable } from "./parts.ts"

const maxListed = 100

const includes = ({ method, url, requestBody = "", answer }: RecordedCall, text: string): boolean =>
  `${method} ${url}\n${requestBody}\n${answer?.body ?? ""}`.toLowerCase().includes(text.toLowerCase())

const hasFailed = ({ answer }: RecordedCall): boolean => (answer?.status ?? 0) >= 400

const row = (root: string, { number, at, method, url, answer }: RecordedCall): Html =>
  html`<tr>
    <td data-on-phone="title"><a class="mono call" href="${root}console/calls/${number}">${method} ${url}</a></td>
    <td class="moment">${formats.dateTime(at)}</td>
    <td class="number">${answer === undefined ? "" : `${answer.tookMs.toFixed(1)} ms`}</td>
    <td data-on-phone="status">${httpBadge(answer?.status)}</td>
  </tr>`

const list = (root: string, calls: ReadonlyArray<RecordedCall>): Html =>
  calls.length === 0
    ? html`<p class="empty">No such call yet. The commands on a charge's page make calls.</p>`
    : html`<div class="table-scroll">
        <table class="table table-stacked">
          <caption>
            The newest ${calls.length}
          </caption>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">At</th>
              <th scope="col" class="number">Took</th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            ${calls.map((call) => row(root, call))}
          </tbody>
        </table>
      </div>`

export const callsPage = async (context: ConsoleContext, request: PageRequest<"/console/calls">): Promise<Reply> => {
  const { root, query } = request
  const text = (query.get("q") ?? "").trim()
  const onlyFailed = query.get("failed") === "yes"
  const found = context.calls
    .list()
    .filter((call) => (!onlyFailed || hasFailed(call)) && includes(call, text))
    .slice(0, maxListed)
  return frame(context, request, {
    title: "Calls",
    section: "calls",
    path: "console/calls",
    content: html`<h1>Calls</h1>
      <div class="row row-spread row-end">
        <form method="get" action="${root}console/calls" role="search" class="row row-end">
          <div class="field">
            <label for="q">Path or body</label>
            <input id="q" name="q" type="search" value="${text}" />
          </div>
          <label class="choice"
            ><input type="checkbox" name="failed" value="yes" ${onlyFailed ? "checked" : ""} /> Only refused
            calls</label
          >
          <button class="button">Show</button>
        </form>
        <form method="post" action="${root}console/forget" data-busy>
          ${await formFields(context, "console/calls")}<button class="button button-quiet" id="forget">
            Clear calls and received events
          </button>
        </form>
      </div>
      <div id="call-list" data-live>${list(root, found)}</div>`,
  })
}

export const callPage = async (
  context: ConsoleContext,
  request: PageRequest<"/console/calls/:number">,
): Promise<Reply> => {
  const call = context.calls.find(Number(request.params.number))
  if (call === undefined)
    return sentencePage(request.root, 404, "This call doesn't exist, or the console has forgotten it.")
  const { number, at, method, url, requestHeaders, requestBody, answer } = call
  return frame(context, request, {
    title: `Call ${number}`,
    section: "calls",
    path: "console/calls",
    content: html`<h1 class="call"><span class="mono">${method} ${url}</span> ${httpBadge(answer?.status)}</h1>
      <p class="muted">
        ${formats.dateTime(at)}${answer !== undefined && `, took ${answer.tookMs.toFixed(1)} ms`}. Keys, tokens and
        links are hidden.
      </p>
      <div class="columns">
        <section class="stack" aria-labelledby="request-title">
          <h2 id="request-title">Request</h2>
          ${headerList(requestHeaders, "Headers of the request")}
          ${
            requestBody !== undefined &&
            html`<pre class="code" tabindex="0" role="region" aria-label="Body of the request">
${readable(requestBody)}</pre>`
          }
        </section>
        <section class="stack" aria-labelledby="answer-title">
          <h2 id="answer-title">Answer</h2>
          ${
            answer === undefined
              ? html`<p class="muted">No answer yet.</p>`
              : html`${headerList(answer.headers, "Headers of the answer")}
                  <pre class="code" tabindex="0" role="region" aria-label="Body of the answer">
${readable(answer.body)}</pre>`
          }
        </section>
      </div>`,
  })
}
