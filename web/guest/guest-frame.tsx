import { lazy, Suspense, useState, type ReactNode } from 'react'
import { ActionIcon, Title, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import '#web/kit/kit.css'
import style from './guest-frame.module.css'
import { withinChunkTimeout } from '#web/chunk.ts'
import { offeredLanguages } from '#web/i18n/language.ts'
import { LanguageTarget } from './language-target.tsx'

const LanguageMenu = lazy(async () => ({ default: (await withinChunkTimeout(() => import('./language-menu.tsx'))).LanguageMenu }))

type Props = { title: string; subtitle?: string; foot?: ReactNode; children: ReactNode }

/** The frame of the pages before sign-in: the partner's mark, one card, and the choice of language and theme. */
export function GuestFrame({ title, subtitle, foot, children }: Props) {
  const { partner_title, logo } = useRuntime()
  return (
    <div className={style.page}>
      <header className={style.tools}>
        {offeredLanguages.length > 1 && <LanguageButton />}
        <ThemeSwitch />
      </header>
      <main className={style.main}>
        <div className={style.brand}>
          {logo === null ? <Mark title={partner_title} /> : <img src={logo} alt="" />}
          <span>{partner_title}</span>
        </div>
        <section className={style.card}>
          <Title order={1}>{title}</Title>
          <p className={style.subtitle}>{subtitle}</p>
          {children}
        </section>
        {foot !== undefined && <p className={style.foot}>{foot}</p>}
      </main>
    </div>
  )
}

function Mark({ title }: { title: string }) {
  return (
    <span className={style.mark} aria-hidden>
      {[...title][0]?.toLocaleUpperCase()}
    </span>
  )
}

/** The menu itself is fetched when somebody asks for it. */
function LanguageButton() {
  const [asked, setAsked] = useState(false)
  if (!asked) return <LanguageTarget onClick={() => setAsked(true)} />
  return (
    <Suspense fallback={<LanguageTarget />}>
      <LanguageMenu />
    </Suspense>
  )
}

function ThemeSwitch() {
  const { t } = useTranslation('auth')
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  const Icon = dark ? IconSun : IconMoon
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={dark ? t('frame.toLight') : t('frame.toDark')}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  )
}
