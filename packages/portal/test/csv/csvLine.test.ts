import { describe, expect, it } from "vitest"
import { csvLine } from "../../src/parts/csv.ts"

/** The start of a formula in any cell, with any of the usual separators. */
const formula = /(?:^|[",;|\t\r\n])[\s\u200b]*[=+\-@]/

describe("csvLine", () => {
  it("separates cells with semicolons, and ends the line with CR and LF", () => {
    expect(csvLine(["a", 1990, undefined, "ç"])).toBe("a;1990;;ç\r\n")
  })

  it.each([
    ["a semicolon", "a;b", '"a;b"'],
    ["a comma", "a,b", '"a,b"'],
    ["a bar", "a|b", '"a|b"'],
    ["a tab", "a\tb", '"a\tb"'],
    ["a quotation mark", 'say "so"', '"say ""so"""'],
    ["a line feed", "a\nb", '"a\nb"'],
    ["a carriage return", "a\rb", '"a\rb"'],
    ["a space at its end", "a ", '"a "'],
  ])("quotes a cell with %s (RFC 4180)", (_, text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`)
  })

  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", `"\t'=1"`],
    ["\r=1", `"\r'=1"`],
    ["\n=1", `"\n'=1"`],
    ["João,=1+1", `"João,'=1+1"`],
    ["a, \u200b＝1", `"a,' \u200b＝1"`],
    ["a;-1", `"a;'-1"`],
    ["a|@b", `"a|'@b"`],
    ["a\t+1", `"a\t'+1"`],
    ["a\r\n=1", `"a\r\n'=1"`],
    ['a "=1"', `"a ""'=1"""`],
    ["a,b,=1,c;-2", `"a,b,'=1,c;'-2"`],
    ["＝1+1", "'＝1+1"],
    ["﹣1", "'﹣1"],
    ["\u22121", "'\u22121"],
    [" =1", "' =1"],
    ["\u00a0=1", "'\u00a0=1"],
    ["\u3000＋1", "'\u3000＋1"],
    ["\u200b@a", "'\u200b@a"],
    ["\ufeff \u2800-1", "'\ufeff \u2800-1"],
    ["\u0001=1", "\ufffd=1"],
    ["  \t=1", `"  \t'=1"`],
    ['=HYPERLINK("http://x.test";"a")', `"'=HYPERLINK(""http://x.test"";""a"")"`],
  ])("escapes the formula %j", (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`)
  })

  it("doesn't change numbers, or texts with `=`, `-` or `@` after their start", () => {
    expect(csvLine(["a=b", "a-1", "a@b", -5])).toBe("a=b;a-1;a@b;-5\r\n")
    expect(csvLine(["a,b=c", "tab\tof a"])).toBe('"a,b=c";"tab\tof a"\r\n')
  })

  it("escapes formulas after any two separators, blanks or quotation marks", () => {
    const pieces = ["", ...',;|\t\r\n" \u200b', "a", "'"]
    for (const mark of "=+-@")
      for (const first of pieces)
        for (const second of pieces)
          expect(csvLine([`x${first}${second}${mark}1`, `${second}${first}${mark}1`])).not.toMatch(formula)
  })

  it("replaces direction characters", () => {
    expect(csvLine(["ana\u202egnp.exe"])).toBe("ana\ufffdgnp.exe\r\n")
  })
})
