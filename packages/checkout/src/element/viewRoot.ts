interface MarkupPolicy {
  readonly createHTML: (text: string) => string
}

interface TrustedTypes {
  readonly createPolicy: (name: string, policy: MarkupPolicy) => MarkupPolicy
}

/** A page with Trusted Types takes markup from a policy alone, and its header may allow none of this name. */
const makePolicy = (): MarkupPolicy | undefined => {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  try {
    return trustedTypes?.createPolicy("pix-checkout", { createHTML: (text) => text })
  } catch {
    return undefined
  }
}

const policy = makePolicy()

/** Replaces what is within an element or a shadow root. Throws where the page's Trusted Types refuse our markup. */
export const setMarkup = (place: Pick<Element, "innerHTML">, text: string): void => {
  place.innerHTML = policy === undefined ? text : policy.createHTML(text)
}

/** Whether the focus is within a view, or nowhere on a page that is the view's own. */
export const holdsFocus = (root: Node): boolean => {
  const { activeElement } = root.getRootNode() as Document | ShadowRoot
  return activeElement !== null && (activeElement === document.body || root.contains(activeElement))
}

/** Moves the focus to a view's title. */
export const focusTitle = (root: ParentNode): void => root.querySelector<HTMLElement>("[tabindex]")?.focus()
