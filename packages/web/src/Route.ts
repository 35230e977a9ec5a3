import type { Exchange, Reply } from "@pixcharge/core"

type Names<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Names<Segment> | Names<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never

/** The parameters that a path names, decoded: of `/charges/:id`, `id`. */
export type Params<Path extends string> = { readonly [name in Names<Path>]: string }

/** The fields of a form, each once, by their names. */
export type Form = Readonly<Record<string, string | undefined>>

/** A request of a page. */
export interface PageRequest<Path extends string = string> {
  readonly exchange: Exchange
  readonly params: Params<Path>
  readonly query: URLSearchParams
  /** The relative way from this page to the app's root, `./` or `../../`: links, forms and assets begin with it. */
  readonly root: string
  /**
   * Reads the fields of the form that was sent.
   *
   * Another media type, more than 64 KB or a field that comes twice end the handler at this call, and the app shows its
   * `failurePage`.
   */
  readonly form: () => Promise<Form>
}

/** One method of one path of an app. */
export interface Route {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly handle: (request: PageRequest<never>) => Reply | Promise<Reply>
}

type Handle<Path extends string> = (request: PageRequest<Path>) => Reply | Promise<Reply>

/**
 * A page of an app; `HEAD` gets its headers.
 *
 * `/` is the app's root. Other paths have no slash at their end. A segment like `:id` is a parameter.
 */
export const get = <const Path extends string>(path: Path, handle: Handle<Path>): Route => ({
  method: "GET",
  path,
  handle: handle as Route["handle"],
})

/** A form of an app. Only forms change anything. */
export const post = <const Path extends string>(path: Path, handle: Handle<Path>): Route => ({
  method: "POST",
  path,
  handle: handle as Route["handle"],
})
