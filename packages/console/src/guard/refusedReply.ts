import { html, pageReply } from "@pixcharge/web"

/** The reply to a request from elsewhere. */
export const refusedReply = (root: string) =>
  pageReply({
    title: "Not from here",
    lang: "en",
    root,
    status: 403,
    body: html`<main class="page page-narrow">
      <h1>Not from here</h1>
      <p>
        The console answers programs on its own machine only, at <code>localhost</code>, <code>127.0.0.1</code> or
        <code>[::1]</code>, through no proxy, and for no other site.
      </p>
    </main>`,
  })
