import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react'

type Enter<Row> = {
  typed: string
  /** Whether what is found does not answer what was typed yet. */
  loading: boolean
  /** The best of what is found. */
  best: Row | undefined
  choose: (row: Row) => void
  done: () => void
}

/** Enter chooses the best of what was found by what was typed, as soon as it is there, and closes the menu; with nothing typed it closes it. */
export function useEnter<Row>({ typed, loading, best, choose, done }: Enter<Row>): (event: KeyboardEvent) => void {
  // pressed before the answer was there
  const entered = useRef(false)
  const take = () => {
    entered.current = false
    if (best === undefined) return
    choose(best)
    done()
  }
  const arrived = useEffectEvent(() => entered.current && take())
  useEffect(() => {
    if (!loading) arrived()
  }, [loading])
  return (event) => {
    entered.current = false
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (typed.trim() === '') done()
    else if (loading) entered.current = true
    else take()
  }
}
