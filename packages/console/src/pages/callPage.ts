import type { Reply } from "@pixcharge/core"
import { html, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../ConsoleContext.ts"
import { sentencePage } from "./failurePage.ts"
import { formats, frame } from "./frame.ts"
import { headerList, readable } from "./headerList.ts"
import { httpBadge } from "./statusBadge.ts"

/** A call and its answer. */
export const callPage = async (
  context: ConsoleContext,
  request: PageRequest<"/console/calls/:number">,
): Promise<Reply> => {
  const call = context.calls.find(Number(request.params.number))
  if (call === undefined) return sentencePage(request.root, 404, "There is no such call, or no longer.")
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
              ? html`<p class="muted">None yet.</p>`
              : html`${headerList(answer.headers, "Headers of the answer")}
                  <pre class="code" tabindex="0" role="region" aria-label="Body of the answer">
${readable(answer.body)}</pre>`
          }
        </section>
      </div>`,
  })
}
