import { ActionIcon, Button, Flex, Menu } from '@mantine/core'
import { IconChevronLeft, IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { DimensionId } from '#contract/traffic/dimension.ts'
import { haveSideInCommon, MAX_GROUPS } from '#contract/traffic/report.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import classes from '#web/features/traffic/report/report.module.css'

/** The groupings in order: added from a menu, dragged or moved by a button into another order, taken away. */
export function GroupPills({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const dimension = useTranslation('dimension')
  const { address, go, options } = report
  const [dragged, setDragged] = useState<DimensionId>()
  const set = (group: DimensionId[]) => go({ group, sort: null })
  const before = (id: DimensionId, target: DimensionId) => {
    const rest = address.group.filter((one) => one !== id)
    rest.splice(rest.indexOf(target), 0, id)
    set(rest)
  }
  const free = options.dimensions.filter(({ id }) => !address.group.includes(id) && haveSideInCommon([...address.group, id]))
  const kinds = [...new Set(free.map(({ group }) => group))]
  return (
    <Flex component="ul" wrap="wrap" align="center" gap={6} aria-label={t('groupedBy')}>
      <li className="ohma-soft">{t('groupBy')}</li>
      {address.group.map((id, index) => (
        // dragging is for the mouse; the button before it moves a grouping by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <li
          key={id}
          className={classes.pill}
          draggable
          onDragStart={() => setDragged(id)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => dragged !== undefined && dragged !== id && before(dragged, id)}
        >
          {index > 0 && (
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={t('moveForward', { name: dimension.t(id) })}
              onClick={() => before(id, address.group[index - 1] ?? id)}
            >
              <IconChevronLeft size={13} />
            </ActionIcon>
          )}
          {dimension.t(id)}
          <ActionIcon
            size="xs"
            variant="subtle"
            color="gray"
            aria-label={t('removeGroup', { name: dimension.t(id) })}
            onClick={() => set(address.group.filter((one) => one !== id))}
          >
            <IconX size={13} />
          </ActionIcon>
        </li>
      ))}
      {address.group.length < MAX_GROUPS && (
        <li>
          <Menu position="bottom-start" shadow="md" width={240}>
            <Menu.Target>
              <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />}>
                {t('addGroup')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah="min(420px, var(--menu-room))">
              {kinds.map((kind) => (
                <div key={kind} role="group" aria-label={t(`kind.${kind}` as 'kind.time')}>
                  <Menu.Label>{t(`kind.${kind}` as 'kind.time')}</Menu.Label>
                  {free
                    .filter(({ group }) => group === kind)
                    .map(({ id }) => (
                      <Menu.Item key={id} onClick={() => set([...address.group, id])}>
                        {dimension.t(id)}
                      </Menu.Item>
                    ))}
                </div>
              ))}
            </Menu.Dropdown>
          </Menu>
        </li>
      )}
    </Flex>
  )
}
