/** The settings of `pnpm start`, from its environment. */
export interface Settings {
  readonly port: number
  /** `memory:`, a Postgres URL, or empty for the embedded database. */
  readonly databaseUrl: string
  readonly callback?: { readonly url: string; readonly secret: string }
}

/** A setting is invalid; the message names it and the reason. */
export class InvalidSetting extends Error {
  override readonly name = "InvalidSetting"
}

const readPort = (text: string): number => {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidSetting(`PORT must be a number from 0 to 65535, not "${text}"`)
}

const readDatabaseUrl = (text: string): string => {
  if (text === "" || text === "memory:" || /^postgres(ql)?:\/\//.test(text)) return text
  throw new InvalidSetting("DATABASE_URL must be memory:, a Postgres URL, or empty for the embedded database")
}

const readCallback = (url: string | undefined, secret: string | undefined): Settings["callback"] => {
  if (!url) return undefined
  if (!URL.canParse(url)) throw new InvalidSetting("PIX_CALLBACK_URL must be a URL")
  if (!secret?.startsWith("whsec_")) {
    throw new InvalidSetting("PIX_CALLBACK_URL needs PIX_CALLBACK_SECRET, which is whsec_ and 24 to 64 bytes in Base64")
  }
  return { url, secret }
}

/** PORT (3000), DATABASE_URL (the embedded database), PIX_CALLBACK_URL and PIX_CALLBACK_SECRET (no callback). */
export const readSettings = (env: NodeJS.ProcessEnv): Settings => {
  const callback = readCallback(env["PIX_CALLBACK_URL"], env["PIX_CALLBACK_SECRET"])
  return {
    port: readPort(env["PORT"] || "3000"),
    databaseUrl: readDatabaseUrl(env["DATABASE_URL"] ?? ""),
    ...(callback && { callback }),
  }
}
