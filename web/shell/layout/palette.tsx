import { Kbd, Modal, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconArrowDown, IconArrowUp, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { href, SCREEN_IDS, screenOf, SCREENS } from '#contract/screens.ts'
import { commandsHere } from '#web/kit/page/commands.ts'
import { useScreens } from '#web/shell/access.ts'
import { NavIcon } from '#web/shell/layout/nav-icon.tsx'
import { pageOf } from '#web/shell/page.ts'
import { signOut } from '#web/shell/session.ts'
import '@mantine/spotlight/styles.css'

const [store, palette] = createSpotlight()
const LIST = 'palette-hits'

/** Ctrl/⌘ K: any screen or action by its name, any thing by its id or name. `opened` counts how often it was asked for. */
export function Palette({ opened, onKeys }: { opened: number; onKeys: () => void }) {
  const { t } = useTranslation('layout')
  const screen = useTranslation('screen')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  useEffect(() => palette.open(), [opened])

  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const screens = useScreens()
  const fits = ({ label, words = '' }: { label: string; words?: string }) => hasWords(`${label} ${words}`, typed)
  // the gallery of the kit is for who builds Ohma
  const places = SCREEN_IDS.filter((id) => screens.has(id) && screenOf(id).redirect === undefined && !SCREENS[id].path.includes(':'))
    .filter((id) => id !== 'ohmaGallery')
    .map((id) => ({ id, label: screen.t(id), words: SCREENS[id].path.includes('/create') ? t('palette.create') : '' }))
    .filter(fits)
  const scheme = colorScheme === 'dark' ? 'light' : 'dark'
  const here = commandsHere().filter(fits)
  const actions = [
    { id: 'theme', label: t(`palette.theme.${scheme}`), run: () => setColorScheme(scheme) },
    { id: 'keys', label: t('keys.title'), run: onKeys },
    { id: 'logOut', label: t('logOut'), run: () => void signOut() },
  ].filter(fits)
  const found = useSearch(typed)

  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={620}
      overlayProps={{ blur: 2, backgroundOpacity: 0.35 }}
    >
      <Modal.Title className="ohma-silent">{t('search')}</Modal.Title>
      <Spotlight.Search
        aria-label={t('palette.placeholder')}
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDown={(event) => {
          // Enter without a choice means the first hit
          if (event.key === 'Enter' && store.getState().selected < 0) firstHit()?.click()
        }}
      />
      <Spotlight.ActionsList id={LIST}>
        {found.groups.map(
          ({ id, opens, hits }) =>
            hits.length > 0 && (
              <Spotlight.ActionsGroup key={id} label={screen.t(id)}>
                {hits.map(({ uuid, label, detail, at }) => (
                  <Spotlight.Action
                    key={uuid}
                    label={label}
                    description={detail}
                    onClick={() => void navigate(at ?? href(opens, { uuid }))}
                  />
                ))}
              </Spotlight.ActionsGroup>
            ),
        )}
        {here.length > 0 && typed.trim() !== '' && (
          <Spotlight.ActionsGroup label={t('palette.here')}>
            {here.map(({ id, label, run }) => (
              <Spotlight.Action key={id} label={label} onClick={run} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {places.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.screens')}>
            {places.map(({ id, label }) => (
              <Spotlight.Action key={id} label={label} leftSection={<NavIcon id={id} />} onClick={() => void navigate(SCREENS[id].path)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {actions.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.actions')}>
            {actions.map(({ id, label, run }) => (
              <Spotlight.Action key={id} label={label} onClick={run} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {places.length === 0 && actions.length === 0 && here.length === 0 && found.empty && (
          <Spotlight.Empty>{found.loading ? t('palette.looking') : t('palette.none')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <Spotlight.Footer fz={12.5} c="dimmed">
        <Kbd size="xs">
          <IconArrowUp size={10} aria-label="↑" />
        </Kbd>{' '}
        <Kbd size="xs">
          <IconArrowDown size={10} aria-label="↓" />
        </Kbd>{' '}
        {t('palette.choose')} · <Kbd size="xs">Enter</Kbd> {t('palette.open')}
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

/** Whether each word that was typed begins a word of the label: "new offer" finds "New direct-link offer". */
function hasWords(label: string, typed: string): boolean {
  const words = label.toLocaleLowerCase().split(/[^\p{L}\d]+/u)
  const wanted = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((part) => words.some((word) => word.startsWith(part)))
}

function firstHit(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#${LIST} [data-action]`)
}

/** What the features find, from two characters or one digit on. */
function useSearch(typed: string) {
  const screens = useScreens()
  const [settled] = useDebouncedValue(typed.trim(), 180)
  const enough = settled.length >= 2 || /^\d$/.test(settled)
  const searches = SCREEN_IDS.flatMap((id) => {
    const search = pageOf(id)?.search
    return search !== undefined && screens.has(search.opens) ? [{ id, ...search }] : []
  })
  const results = useQueries({
    queries: searches.map(({ id, find }) => ({
      queryKey: ['palette', id, settled],
      queryFn: ({ signal }: { signal: AbortSignal }) => find(settled, signal),
      enabled: enough,
      placeholderData: keepPreviousData,
    })),
  })
  const groups = searches.map(({ id, opens }, index) => ({ id, opens, hits: enough ? (results[index]?.data ?? []) : [] }))
  return { groups, empty: groups.every(({ hits }) => hits.length === 0), loading: results.some(({ isFetching }) => isFetching) }
}
