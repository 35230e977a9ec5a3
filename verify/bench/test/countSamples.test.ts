import { describe, expect, it } from "vitest"
import { type CpuProfile, type Part, parts, type ProfileNode } from "../profile/classifyNodes.ts"
import { countSamples } from "../profile/countSamples.ts"

type Stack = ReadonlyArray<readonly [functionName: string, url: string]>

const always = { from: 0, until: Number.POSITIVE_INFINITY }
const installed = (folder: string) => `file:///app/node_modules/.pnpm/x/node_modules/${folder}/index.js`

/** A profile of one sample a millisecond, from 1 ms on, each of which found these functions called by one another. */
const profileWith = (stacks: ReadonlyArray<Stack>): CpuProfile => {
  const nodes: Array<ProfileNode & { children: Array<number> }> = []
  const add = (functionName: string, url: string): number =>
    nodes.push({ id: nodes.length + 1, callFrame: { functionName, url }, children: [] })
  add("(root)", "")
  const samples = stacks.map((stack) =>
    stack.reduce((caller, [functionName, url]) => {
      const id = add(functionName, url)
      nodes[caller - 1]?.children.push(id)
      return id
    }, 1),
  )
  // As V8 may do: a caller need not come before what it calls.
  return { nodes: nodes.toReversed(), startTime: 0, samples, timeDeltas: samples.map(() => 1_000) }
}

/** The parts that have samples. */
const seenIn = (...stacks: ReadonlyArray<Stack>): Partial<Record<Part, number>> => {
  const counts = countSamples(profileWith(stacks), always)
  return Object.fromEntries(parts.flatMap((part) => (counts[part] > 0 ? [[part, counts[part]]] : [])))
}

describe("a sample counts for the part whose code was at work", () => {
  it.each<readonly [Part, string, string]>([
    ["pixcharge", "issue", "file:///app/packages/core/dist/service/issueCharge.js"],
    ["Effect", "runLoop", installed("effect")],
    ["the framework", "handle", installed("express")],
    ["the framework", "getRequestListener", installed("@hono/node-server")],
    ["pg", "query", installed("pg")],
    ["jose and Node's crypto", "jwtVerify", installed("jose")],
    ["jose and Node's crypto", "createHmac", "node:internal/crypto/hash"],
    ["Node's HTTP and sockets, but for writes", "parserOnHeadersComplete", "node:_http_common"],
    ["JSON", "JSON.stringify", "file:///app/verify/dist/bench/profile/nameJson.js"],
    ["writes to sockets", "writev", ""],
    ["garbage collection", "(garbage collector)", ""],
    ["native code outside of JavaScript", "(program)", ""],
    ["other", "format", installed("date-fns")],
    ["other", "processTicksAndRejections", "node:internal/process/task_queues"],
  ])("%s: %s of %s", (part, functionName, url) => {
    expect(seenIn([[functionName, url]])).toEqual({ [part]: 1 })
  })

  it("and not for what called it", () => {
    expect(
      seenIn([
        ["handle", installed("express")],
        ["issue", "file:///app/packages/core/dist/a.js"],
      ]),
    ).toEqual({
      pixcharge: 1,
    })
  })

  it("a native function for the part that called it", () => {
    const digest: Stack = [
      ["sign", "node:internal/crypto/hash"],
      ["digest", ""],
    ]
    expect(seenIn(digest)).toEqual({ "jose and Node's crypto": 1 })
  })

  it("a general module of Node for the part that called it", () => {
    expect(
      seenIn([
        ["flush", installed("pg")],
        ["emit", "node:events"],
      ]),
    ).toEqual({ pg: 1 })
  })

  it("idle time for none", () => {
    expect(seenIn([["(idle)", ""]], [["emit", installed("effect")]])).toEqual({ Effect: 1 })
  })
})

it("samples before a period and after it don't count", () => {
  const work: Stack = [["runLoop", installed("effect")]]
  expect(countSamples(profileWith([work, work, work, work]), { from: 2_000, until: 4_000 }).Effect).toBe(2)
})
