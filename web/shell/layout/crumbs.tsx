import { Anchor } from '@mantine/core'
import { IconArrowLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLocation } from 'react-router'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useCurrentScreen } from '#web/shell/title.ts'
import classes from '#web/shell/layout/layout.module.css'
import { useNameOf } from '#web/thing-name.ts'

/** The way from the section down to the screen; a page about one thing is called as that thing is. */
export function Crumbs() {
  const { t } = useTranslation('screen')
  const layout = useTranslation('layout')
  const current = useCurrentScreen()
  const path = current ? pathTo(current) : []
  const name = useNameOf(useLocation().pathname)
  const named = current !== undefined && screenOf(current).path.includes(':') ? name : undefined
  return (
    <nav className={classes.crumbs} aria-label={layout.t('crumbs')}>
      <ol>
        {path.map((id) => (
          <li key={id}>
            {id === current ? (
              <span aria-current="page" className="ohma-clip">
                {named ?? t(id)}
              </span>
            ) : (
              <>
                <Anchor component={ScreenLink} to={id} c="inherit" underline="hover" className={`ohma-clip ${classes.way}`} title={t(id)}>
                  <IconArrowLeft size={18} aria-hidden className={classes.back} />
                  <span>{t(id)}</span>
                </Anchor>
                <IconChevronRight size={14} aria-hidden className={classes.into} />
              </>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function pathTo(id: ScreenId): ScreenId[] {
  const parent = SCREEN_IDS.find((one) => one === screenOf(id).parent)
  return parent === undefined ? [id] : [...pathTo(parent), id]
}
