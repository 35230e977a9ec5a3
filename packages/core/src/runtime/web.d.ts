/**
 * The web types that an `Exchange` names, because the core compiles without the types of any platform. Its users have their own.
 */
interface AbortSignal {
  readonly aborted: boolean
}

interface ReadableStream<R> extends AsyncIterable<R> {
  readonly locked: boolean
}
