/** Whether an update skips the part, because the script writes its text. */
const isKept = (part: Element): boolean => part.matches("[role=status], #live")

/** Whether the part is a hidden field. Its value differs in each copy of a form. */
const isHiddenField = (part: Element): boolean => part.matches("input[type=hidden]")

const withoutHiddenFields = (form: Element): Node => {
  const copy = form.cloneNode(true) as Element
  for (const field of copy.querySelectorAll("input")) if (isHiddenField(field)) field.remove()
  return copy
}

const isChanged = (control: Element): boolean => {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  }
  if (control instanceof HTMLInputElement && control.type !== "hidden") {
    return control.value !== control.defaultValue || control.checked !== control.defaultChecked
  }
  return control instanceof HTMLTextAreaElement && control.value !== control.defaultValue
}

/** Whether the operator edits or has edited the form. */
const isInUse = (form: HTMLFormElement): boolean =>
  form.contains(document.activeElement) || [...form.elements].some(isChanged)

/** Identifies a part among its siblings. Links with different addresses are different parts. */
const nameOf = (node: Node): string => {
  if (!(node instanceof Element)) return node.nodeName
  const row = node.matches("tr, li") ? node.querySelector("a") : null
  const names = [node.id, ...["aria-labelledby", "action", "href"].map((name) => node.getAttribute(name))]
  return `${node.nodeName} ${row?.getAttribute("href") ?? (names.find(Boolean) || node.className)}`
}

/** Elements weigh more than text nodes, because they can have the focus. */
const weigh = (node: Node): number => (node instanceof Element ? 100 : 1)

/** Pairs nodes with their new versions, in the same order and with the largest total weight. */
const pair = (before: ReadonlyArray<ChildNode>, after: ReadonlyArray<ChildNode>): ReadonlyMap<ChildNode, ChildNode> => {
  const names = before.map(nameOf)
  const sums = Array.from({ length: before.length + 1 }, () => new Float64Array(after.length + 1))
  const sum = (at: number, to: number): number => sums[at]?.[to] ?? 0
  const newNames = after.map(nameOf)
  for (let index = before.length - 1; index >= 0; index--) {
    for (let to = after.length - 1; to >= 0; to--) {
      const stays = names[index] === newNames[to] ? sum(index + 1, to + 1) + weigh(before[index] as Node) : 0
      ;(sums[index] as Float64Array)[to] = Math.max(stays, sum(index + 1, to), sum(index, to + 1))
    }
  }
  const pairs = new Map<ChildNode, ChildNode>()
  for (let index = 0, to = 0; index < before.length && to < after.length;) {
    if (sum(index, to) === sum(index + 1, to)) index += 1
    else if (sum(index, to) === sum(index, to + 1)) to += 1
    else pairs.set(after[to++] as ChildNode, before[index++] as ChildNode)
  }
  return pairs
}

/** The attributes that the operator or the script changes: an update keeps them. */
const ownAttributes = new Set(["open", "hidden"])

const morphAttributes = (part: Element, fresh: Element): void => {
  for (const name of part.getAttributeNames()) {
    if (!fresh.hasAttribute(name) && !ownAttributes.has(name)) part.removeAttribute(name)
  }
  for (const { name, value } of fresh.attributes) {
    if (part.getAttribute(name) !== value && !ownAttributes.has(name)) part.setAttribute(name, value)
  }
}

const morphChildren = (part: Element, fresh: Element): void => {
  const before = [...part.childNodes]
  const after = [...fresh.childNodes]
  const pairs = pair(before, after)
  const staying = new Set(pairs.values())
  for (const child of before) if (!staying.has(child)) child.remove()
  let place = part.firstChild
  for (const child of after) {
    const known = pairs.get(child)
    if (known === undefined) {
      part.insertBefore(child, place)
    } else {
      place = known.nextSibling
      morph(known, child)
    }
  }
}

/**
 * Turns a part of the page into its fresh version, without changing equal parts.
 *
 * Keeps focus, selection, unfolded parts and form input.
 */
export const morph = (part: Node, fresh: Node): void => {
  if (!(part instanceof Element) || !(fresh instanceof Element)) {
    if (part.nodeValue !== fresh.nodeValue) part.nodeValue = fresh.nodeValue
    return
  }
  if (isKept(part)) return
  if (part instanceof HTMLFormElement) {
    if (withoutHiddenFields(part).isEqualNode(withoutHiddenFields(fresh)) || isInUse(part)) return
    return part.replaceWith(fresh)
  }
  morphAttributes(part, fresh)
  morphChildren(part, fresh)
}
