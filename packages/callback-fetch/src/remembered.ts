const mostAnswers = 1_000

/** A pure function that remembers its last answers: endpoints are few, and their events many. */
export const remembered = <A>(f: (text: string) => A): ((text: string) => A) => {
  const answers = new Map<string, { readonly answer: A }>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known.answer
    if (answers.size >= mostAnswers) answers.clear()
    const answer = f(text)
    answers.set(text, { answer })
    return answer
  }
}
