import classes from '#web/kit/show/show.module.css'

/** good: done, approved · waiting: hold, to decide · bad: declined, error · info: running · part: some of it is done · muted: paused, archived. */
export type Tone = 'good' | 'waiting' | 'bad' | 'info' | 'part' | 'muted'

/** A state as a word with a mark whose shape differs too, so that nobody depends on colours. */
export function StatusBadge({ tone, label }: { tone: Tone; label: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <svg width="9" height="9" viewBox="0 0 10 10" aria-hidden>
        {MARKS[tone]}
      </svg>
      <span className="ohma-clip">{label}</span>
    </span>
  )
}

const MARKS = {
  good: <circle cx="5" cy="5" r="4.5" fill="currentColor" />,
  info: <path d="M1.5 0.5 L9.5 5 L1.5 9.5 Z" fill="currentColor" />,
  part: (
    <>
      <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M1 5 A4 4 0 0 0 9 5 Z" fill="currentColor" />
    </>
  ),
  waiting: (
    <>
      <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5 1 A4 4 0 0 1 5 9 Z" fill="currentColor" />
    </>
  ),
  bad: <path d="M1.2 1.2 L8.8 8.8 M8.8 1.2 L1.2 8.8" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />,
  muted: <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.8" />,
}
