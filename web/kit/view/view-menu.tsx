import { Button, Loader, Popover } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLocation, useSearchParams } from 'react-router'
import { savedViewApi } from '#contract/traffic/view.ts'
import { query, useSave } from '#web/api/query.ts'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { sameAddress, withoutPage } from '#web/kit/view/address.ts'
import { SaveViewForm } from '#web/kit/view/save-view-form.tsx'
import { ViewRow, type View } from '#web/kit/view/view-row.tsx'
import { useNameOf } from '#web/thing-name.ts'
import list from '#web/kit/list/list.module.css'
import classes from '#web/kit/view/view.module.css'

/** Views of a list or report under a name: opens one, keeps the present one, for oneself or for all staff. */
export function ViewMenu({ screen }: { screen: string }) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useSearchParams()
  const [opened, setOpened] = useState(false)
  const name = useNameOf(useLocation().pathname)
  const found = useQuery({ ...query(savedViewApi.list, { body: { screen } }, { quiet: true }), enabled: opened })
  const save = useSave(savedViewApi.save, { invalidate: [savedViewApi.list] })
  const remove = useSave(savedViewApi.remove, { invalidate: [savedViewApi.list] })
  const present = withoutPage(search)
  const views = found.data?.list ?? []

  const open = (view: View) => {
    setSearch(new URLSearchParams(view.address))
    setOpened(false)
  }
  const removeView = (view: View) =>
    remove.mutate(
      { params: { uuid: view.uuid } },
      {
        onSuccess: () =>
          offerUndo(t('view.removed', { name: view.name }), () =>
            save.mutate({ body: { screen, name: view.name, address: view.address, shared: view.shared } }),
          ),
      },
    )

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={300} trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconBookmark size={15} aria-hidden />}
          aria-expanded={opened}
          aria-haspopup="dialog"
          onClick={() => setOpened(!opened)}
        >
          {t('view.views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={list.menu} role="dialog" aria-label={name === undefined ? t('view.views') : t('view.of', { name })}>
        {found.isPending && <Loader size="sm" role="status" aria-label={t('loading')} />}
        {found.isError && (
          <Button variant="subtle" size="compact-sm" onClick={() => void found.refetch()}>
            {t('view.failed')}
          </Button>
        )}
        {found.isSuccess && views.length === 0 && <p className={classes.none}>{t('view.none')}</p>}
        {views.length > 0 && (
          <ul className={classes.views}>
            {views.map((view) => (
              <ViewRow
                key={view.uuid}
                view={view}
                present={sameAddress(view.address, present)}
                onOpen={() => open(view)}
                onRemove={view.own ? () => removeView(view) : undefined}
              />
            ))}
          </ul>
        )}
        <SaveViewForm screen={screen} address={present} taken={views.filter((view) => view.own).map((view) => view.name)} />
      </Popover.Dropdown>
    </Popover>
  )
}
