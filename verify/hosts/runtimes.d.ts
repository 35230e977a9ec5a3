// The parts of Bun and Deno that the hosts use. Their own types would change Node's for all other files.

type Handle = (request: Request) => Response | Promise<Response>

interface Address {
  readonly port: number
  readonly hostname: string
}

declare const Bun: {
  readonly serve: (
    options: Address & { readonly routes: Readonly<Record<string, Handle>>; readonly fetch: Handle },
  ) => {
    readonly stop: () => Promise<void>
  }
}

declare const Deno: {
  readonly serve: (address: Address, handle: Handle) => { readonly shutdown: () => Promise<void> }
  readonly env: { readonly get: (name: string) => string | undefined }
  readonly addSignalListener: (signal: "SIGTERM" | "SIGINT", listener: () => Promise<void>) => void
  readonly exit: () => never
}
