import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { LivePages, type LiveReader, type LiveSource } from "../src/frame/LivePages.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => undefined)
const fails = () => Promise.reject(new Error("the store is unavailable"))
const same: LiveSource = { look: async () => "1", everyMs: 2_000 }

/** Opens a stream. `text` is its content; `endedAt` is the time of its end in seconds. */
const open = (pages: LivePages, reader: Partial<LiveReader> = {}, source = same, key = "a page") => {
  const begun = performance.now()
  const leaving = new AbortController()
  const order = { company: "A", operator: "ana", version: "1", mayRead: async () => true, signal: leaving.signal }
  const stream = pages.open(key, source, { ...order, ...reader })
  const opened = { refusal: undefined as number | undefined, text: "", endedAt: 0, leave: () => leaving.abort() }
  if (typeof stream === "number") return { ...opened, refusal: stream }
  const read = async (): Promise<void> => {
    for await (const bytes of stream.body) opened.text += new TextDecoder().decode(bytes)
    opened.endedAt = (performance.now() - begun) / 1_000
  }
  void read()
  return opened
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)

it.each([
  ["succeed", same.look],
  ["fail", fails],
  ["never end", never],
])(
  "ends a stream after five minutes, or soon after its operator loses access, even if look-ups %s",
  async (_, look) => {
    const pages = new LivePages(new AbortController().signal)
    let maySee = true
    const source = { look, everyMs: 2_000 }
    const lasting = open(pages, {}, source)
    const revoked = open(pages, { mayRead: async () => maySee }, source)
    const broken = open(pages, { mayRead: fails }, source)
    const silent = open(pages, { mayRead: never }, source)
    await pass(40)
    expect([lasting, revoked, broken, silent].map(({ endedAt }) => endedAt)).toEqual([0, 0, 30, 0])
    maySee = false
    await pass(360)
    expect([lasting, revoked, silent].map(({ endedAt }) => endedAt)).toEqual([300, 60, 300])
  },
)

it("limits the streams of an operator, a company and the process, and frees a place when a reader leaves", () => {
  const pages = new LivePages(new AbortController().signal)
  const fill = (count: number, reader: (at: number) => Partial<LiveReader>) =>
    Array.from({ length: count }, (_each, index) => open(pages, reader(index))).filter(
      ({ refusal }) => refusal === undefined,
    )
  const [first] = fill(15, () => ({}))
  expect(fill(10, () => ({ company: "B" })).length).toBe(5)
  expect(open(pages, { company: "C" }).refusal).toBe(429)
  first?.leave()
  expect(open(pages, { company: "C" }).refusal).toBeUndefined()
  expect(fill(200, (at) => ({ operator: `operator ${at}` })).length).toBe(86)
  expect(open(pages, { operator: "another" }).refusal).toBe(429)
  expect(fill(600, (at) => ({ company: `company ${at}`, operator: `operator ${at}` })).length).toBe(394)
  expect(open(pages, { company: "the last", operator: "the last" }).refusal).toBe(503)
})

it("looks up every company and page in turn, even if some companies have many, slow or stuck look-ups", async () => {
  const pages = new LivePages(new AbortController().signal)
  const lookUps = Array.from({ length: 40 }, () => 0)
  const slow = (company: number, at: number) => async () => {
    if (company === 0) lookUps[at] = (lookUps[at] ?? 0) + 1
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return "1"
  }
  for (let company = 0; company < 6; company++)
    for (let index = 0; index < 40; index++)
      open(
        pages,
        { company: `company ${company}`, operator: `operator ${company} ${index}` },
        { look: slow(company, index), everyMs: 2_000 },
        `page ${index}`,
      )
  open(pages, { company: "stuck", operator: "rui" }, { look: never, everyMs: 2_000 })
  let version = "1"
  const other = open(pages, { company: "B", operator: "bia" }, { look: async () => version, everyMs: 2_000 })
  for (let round = 2; round < 20; round++) {
    version = String(round)
    await pass(6)
    expect(other.text).toContain(`data: ${round}\n`)
  }
  expect(Math.min(...lookUps)).toBeGreaterThan(0)
  expect(Math.max(...lookUps) - Math.min(...lookUps)).toBe(1)
})

it("sends news to an operator without waiting for the check of another operator", async () => {
  const pages = new LivePages(new AbortController().signal)
  const source = { look: async () => "2", everyMs: 2_000 }
  open(pages, { mayRead: never }, source)
  const other = open(pages, { operator: "bia" }, source)
  await pass(3)
  expect(other.text).toContain("event: news\ndata: 2\n")
})

it("reports a missing page once and ends its stream, and repeats a failed look-up", async () => {
  const pages = new LivePages(new AbortController().signal)
  const gone = open(pages, {}, { look: async () => undefined, everyMs: 2_000 }, "gone")
  let isAway = true
  const late = open(pages, {}, { look: async () => (isAway ? fails() : "2"), everyMs: 2_000 }, "late")
  await pass(3)
  expect([gone.endedAt, gone.text.match(/event: news/g)?.length, late.endedAt, late.text.includes("news")]).toEqual([
    2,
    1,
    0,
    false,
  ])
  isAway = false
  await pass(5)
  expect(late.text).toContain("data: 2\n")
})
