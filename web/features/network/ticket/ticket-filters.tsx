import { Checkbox, Select } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TICKET_CATEGORIES, TICKET_PRIORITIES, TICKET_STATUSES } from '#contract/network/ticket.ts'
import { statusKey } from '#web/features/network/ticket/ticket-words.ts'
import classes from '#web/features/network/ticket/ticket.module.css'
import { SearchBox } from '#web/kit/list/search-box.tsx'

const among = <Value extends string>(values: readonly Value[], text: string | null) => values.find((one) => one === text) ?? null

/** What the address narrows the tickets by; what it holds that is none of the choices is left out. */
export function ticketFiltersOf(params: URLSearchParams) {
  return {
    search: (params.get('search') ?? '').slice(0, 100),
    status: among(TICKET_STATUSES, params.get('status')),
    category: among(TICKET_CATEGORIES, params.get('category')),
    priority: among(TICKET_PRIORITIES, params.get('priority')),
    assigned: among(['me', 'nobody'], params.get('assigned')),
    unread: params.get('unread') === 'yes',
  }
}

type TicketFiltersProps = {
  of: ReturnType<typeof ticketFiltersOf>
  staff: boolean
  /** Puts a value into the address; empty takes it out. */
  onChange: (name: string, value: string) => void
}

/** Above the tickets: the words and choices that narrow them. */
export function TicketFilters({ of, staff, onChange }: TicketFiltersProps) {
  const { t } = useTranslation('ticket')
  const choose = (name: string) => (value: string | null) => onChange(name, value ?? '')
  return (
    <div className={classes.filters}>
      <SearchBox label={t('search')} value={of.search} onSearch={(text) => onChange('search', text)} />
      <Select
        size="xs"
        aria-label={t('status')}
        placeholder={t('anyStatus')}
        clearable
        data={TICKET_STATUSES.map((one) => ({ value: one, label: t(statusKey(one, staff)) }))}
        value={of.status}
        onChange={choose('status')}
      />
      {staff && (
        <Select
          size="xs"
          aria-label={t('assignee')}
          placeholder={t('anybody')}
          clearable
          data={[
            { value: 'me', label: t('mine') },
            { value: 'nobody', label: t('nobody') },
          ]}
          value={of.assigned}
          onChange={choose('assigned')}
        />
      )}
      <Select
        size="xs"
        aria-label={t('category')}
        placeholder={t('anyCategory')}
        clearable
        data={TICKET_CATEGORIES.map((one) => ({ value: one, label: t(`category.${one}`) }))}
        value={of.category}
        onChange={choose('category')}
      />
      {staff && (
        <Select
          size="xs"
          aria-label={t('priority')}
          placeholder={t('anyPriority')}
          clearable
          data={TICKET_PRIORITIES.map((one) => ({ value: one, label: t(`priority.${one}`) }))}
          value={of.priority}
          onChange={choose('priority')}
        />
      )}
      <Checkbox
        size="xs"
        label={t('unreadOnly')}
        checked={of.unread}
        onChange={(event) => onChange('unread', event.currentTarget.checked ? 'yes' : '')}
      />
    </div>
  )
}
