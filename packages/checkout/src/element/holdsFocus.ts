/** Whether the focus is within a view, or nowhere on a page that is the view's own. */
export const holdsFocus = (root: Node): boolean => {
  const { activeElement } = root.getRootNode() as Document | ShadowRoot
  return activeElement !== null && (activeElement === document.body || root.contains(activeElement))
}

/** Moves the focus to a view's title. */
export const focusTitle = (root: ParentNode): void => root.querySelector<HTMLElement>("[tabindex]")?.focus()
