import type { TextSignatures } from "@pixcharge/web"
import { type NoticeId, noticeTexts } from "./noticeTexts.ts"

/** For as long as a redirect takes, and a look at its page. */
const validMs = 60_000

/** The query's field that names a notice. */
export const noticeField = "aviso"

/** Whose notice it is, and at which company. */
export interface NoticeReader {
  readonly who: string
  readonly company: string
}

/**
 * Notices of actions, handed to the page after them by its URL: signed for one person and a minute, so that nobody else can
 * make a page say what didn't happen.
 */
export const makeNotices = (signatures: TextSignatures, now: () => number) => {
  const signed = ({ who, company }: NoticeReader, id: string, until: string) =>
    JSON.stringify(["notice", who, company, id, until])
  return {
    /** The field's value. */
    write: async (reader: NoticeReader, id: NoticeId): Promise<string> => {
      const until = String(now() + validMs)
      return `${id}.${until}.${await signatures.sign(signed(reader, id, until))}`
    },
    /** The text that a field's value stands for; undefined for anything that wasn't written for this reader just now. */
    read: async (reader: NoticeReader, value: string): Promise<string | undefined> => {
      const [id = "", until = "", signature = ""] = value.split(".", 3)
      if (!Object.hasOwn(noticeTexts, id) || !(Number(until) > now())) return undefined
      return (await signatures.verify(signed(reader, id, until), signature)) ? noticeTexts[id as NoticeId] : undefined
    },
  }
}
