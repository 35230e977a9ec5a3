/** Web types of an `Exchange`: the core compiles without any platform's types. */
interface AbortSignal {
  readonly aborted: boolean
}

interface ReadableStream<R> extends AsyncIterable<R> {
  readonly locked: boolean
}
