/** One HTTP request as plain data, whatever framework it came through. */
export interface Exchange {
  /** Upper-case. */
  readonly method: string
  /** Path and query as they came, percent-encoding untouched, the mount's prefix taken off. */
  readonly url: string
  /** A header's value by its lower-case name; several values joined by `, `. */
  readonly header: (name: string) => string | undefined
  /** The body: as text read up to a limit, or as the value that the host's own parser made of it before. */
  readonly body: (maxBytes: number) => Promise<ExchangeBody>
}

/** What a request's body turned out to be. */
export type ExchangeBody =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Parsed"; readonly value: unknown }
  | { readonly _tag: "TooLarge" }
  /** No text in UTF-8, or no JSON: the caller went away, or the host's parser refused it. */
  | { readonly _tag: "Unreadable" }
  /** In an encoding that nobody decoded. */
  | { readonly _tag: "Unsupported" }

/** One HTTP answer as plain data. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
