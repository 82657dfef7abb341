import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { lastingWords } from '#web/features/leads/recold/recold-words.ts'
import { UNKNOWN } from '#web/format.ts'
import { wordsOf } from '#web/kit/status/status-look.ts'

/** How long until a moment, second by second. `now` is the server's clock as it answered: this machine's may be another. */
export function Countdown({ at, now }: { at: string | null; now: string }) {
  return at === null ? UNKNOWN : <Left key={now} ms={Date.parse(at) - Date.parse(now)} />
}

function Left({ ms }: { ms: number }) {
  const { t } = useTranslation('recold')
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const begun = performance.now()
    const timer = setInterval(() => setPassed(performance.now() - begun), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((ms - passed) / 1000)
  return seconds <= 0 ? t('next.now') : lastingWords(seconds, wordsOf(t))
}
