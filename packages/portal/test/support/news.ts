import { onTestFinished } from "vitest"

export const versionIn = (html: string): string => /data-version="([\da-f]+)"/.exec(html)?.[1] ?? "none"

/** Listens for the news of a page as a browser's `EventSource` does. */
export const listenFor = async (page: string, version: string, user: string) => {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const address = `${page}${page.includes("?") ? "&" : "?"}versao=${version}`
  const headers = { accept: "text/event-stream", "x-user": user }
  const answer = await fetch(address, { headers, redirect: "manual", signal: ending.signal })
  const versions: Array<string> = []
  let text = ""
  const read = async (): Promise<void> => {
    for await (const bytes of answer.body ?? []) {
      text += new TextDecoder().decode(bytes)
      versions.splice(
        0,
        versions.length,
        ...Array.from(text.matchAll(/event: news\ndata: (.*)\n\n/g), ([, sent = ""]) => sent),
      )
    }
  }
  const ended = read().catch(() => undefined)
  return {
    status: answer.status,
    contentType: answer.headers.get("content-type"),
    versions,
    ended,
    leave: () => ending.abort(),
  }
}
