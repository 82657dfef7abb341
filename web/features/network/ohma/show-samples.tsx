import { ActionIcon, Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { ContactLinks } from '#web/kit/show/contact-links.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { ShortText } from '#web/kit/show/short-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'

/** Values, buttons and headers. */
export function ShowSamples() {
  return (
    <>
      <PageHeader
        inner
        title="Високопродуктивне партнерство"
        id={123456789012}
        status={<StatusBadge tone="good" label="Active" />}
        facts={['Olena Admin', <Country key="c" code="UA" />, <Money key="m" amount="999999999999.9900" currency="EUR" />]}
        actions={
          <>
            <RowMenu
              size="md"
              actions={[
                { id: 'Duplicate', label: 'Duplicate', onClick: () => {} },
                { id: 'Delete', label: 'Delete', onClick: () => {}, danger: true },
              ]}
            />
            <Button leftSection={<IconPlus size={16} aria-hidden />}>Add offer</Button>
          </>
        }
      />
      <Group gap="10px 14px">
        <StatusBadge tone="good" label="Approved" />
        <StatusBadge tone="info" label="Running" />
        <StatusBadge tone="waiting" label="На холді" />
        <StatusBadge tone="bad" label="Declined" />
        <StatusBadge tone="muted" label="Archived" />
      </Group>
      <Group gap="10px 14px">
        <Button>Primary</Button>
        <Button variant="light">Light</Button>
        <Button variant="default">Default</Button>
        <Button variant="subtle">Subtle</Button>
        <Button color="red.9">Delete offer</Button>
        <Button loading>Saving</Button>
        <Button disabled>Disabled</Button>
        <ActionIcon variant="default" size={34} aria-label="Add">
          <IconPlus size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Group gap="10px 14px">
        <Money amount="-1234.5000" currency="UAH" />
        <Money amount="0" currency="JPY" />
        <Money amount={null} currency="USD" />
        <Moment at="2026-11-01T08:15:00Z" />
        <Country code="BR" />
        <TagList tags={['vip', 'push', 'native']} />
        <ShortText text="subscription-renewal-2026" />
        <CopyText text="0198f3a2-7c1e-7d3b-9b1a-51a2f0d2c9aa" shown="0198f3a2" />
        <ContactLinks contacts={{ email: 'a@example.com', telegram: '@ohma', skype: 'ohma', linkedin: 'ohma' }} />
      </Group>
      <CopyField label="Tracking link" text="https://go.example.com/click?offer_id=12&pid=40&sub1=" />
    </>
  )
}
