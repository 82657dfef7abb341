import { CloseButton } from '@mantine/core'
import { IconCheck, IconUsers } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { savedViewApi } from '#contract/traffic/view.ts'
import classes from '#web/kit/view/view.module.css'

export type View = CallOutput<typeof savedViewApi.list>['list'][number]

type ViewRowProps = {
  view: View
  /** It is what the screen shows. */
  present: boolean
  onOpen: () => void
  /** undefined: somebody else's. */
  onRemove: (() => void) | undefined
}

/** One view: its name, whose it is where it is not one's own, and how to delete it. */
export function ViewRow({ view, present, onOpen, onRemove }: ViewRowProps) {
  const { t } = useTranslation('kit')
  return (
    <li className={classes.row}>
      <button type="button" className={classes.open} aria-current={present || undefined} onClick={onOpen}>
        <span className="ohma-clip">{view.name}</span>
        {!view.own && <small className="ohma-clip">{t('view.by', { name: view.owner })}</small>}
        {view.own && view.shared && <IconUsers size={14} role="img" aria-label={t('view.shared')} />}
        {present && <IconCheck size={14} aria-hidden />}
      </button>
      {onRemove && <CloseButton size="sm" aria-label={t('view.remove', { name: view.name })} onClick={onRemove} />}
    </li>
  )
}
