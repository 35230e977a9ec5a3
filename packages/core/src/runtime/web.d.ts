/**
 * The types of the web that an `Exchange` names. The core is compiled without any platform's types; its users have these
 * from theirs.
 */
interface AbortSignal {
  readonly aborted: boolean
}

interface ReadableStream<R> extends AsyncIterable<R> {
  readonly locked: boolean
}
