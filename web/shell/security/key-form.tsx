import { Button, Group, Input, SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { apiKeyApi } from '#contract/people/api-key.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ROOMS, type KeyScope, type Room } from '#contract/people/key-scope.ts'
import { fieldText } from '#web/i18n/language.ts'
import { changeAt } from '#web/kit/fields/field.ts'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormProblems } from '#web/kit/form/form-problems.tsx'
import { fieldId, useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useSession } from '#web/shell/session.ts'
import style from './security.module.css'

const LIVES = ['30', '90', '365'] as const
type Level = 'none' | 'read' | 'write'

type Props = {
  email: string
  offered: readonly KeyScope[]
  secondFactor: boolean
  onMade: (made: CallOutput<typeof apiKeyApi.create>) => void
  onCancel: () => void
}

/** What a new key is called, what it may, from where and for how long; and once more who is asking. */
export function KeyForm({ email, offered, secondFactor, onMade, onCancel }: Props) {
  const { t } = useTranslation('security')
  const { role } = useSession()
  const form = useSaveForm({
    endpoint: apiKeyApi.create,
    initial: {
      name: '',
      scopes: [] as KeyScope[],
      offer_uuids: [] as ReferenceRow[],
      allowed_ips: [] as string[],
      days: '90' as string | null,
      password: '',
      code: '',
    },
    toInput: ({ days, offer_uuids, ...values }) => ({
      body: { ...values, offer_uuids: offer_uuids.map(({ uuid }) => uuid), days: days === null ? null : Number(days) },
    }),
    invalidate: [apiKeyApi.own],
    savedText: '',
    onSaved: onMade,
  })
  const { scopes } = form.values
  form.labels.set('scopes', t('keys.scopes'))
  const levelOf = (room: Room): Level => (scopes.includes(`${room}.write`) ? 'write' : scopes.includes(`${room}.read`) ? 'read' : 'none')
  const choose = (room: Room, level: Level) => {
    const others = scopes.filter((scope) => !scope.startsWith(`${room}.`))
    changeAt(form, 'scopes', level === 'none' ? others : [...others, `${room}.${level}`])
  }
  const error = form.form.errors['scopes']
  return (
    <form onSubmit={form.submit} aria-label={t('keys.make')} noValidate>
      <Stack gap="md">
        <FormProblems of={form} />
        <TextField of={form} name="name" label={t('keys.name')} placeholder={t('keys.nameExample')} required />
        <Input.Wrapper
          id={fieldId(form.id, 'scopes')}
          label={t('keys.scopes')}
          description={t('keys.scopesHelp')}
          withAsterisk
          labelElement="div"
          error={typeof error === 'string' ? fieldText(error) : undefined}
        >
          <div className={style.rooms} id={fieldId(form.id, 'scopes')} tabIndex={-1}>
            {ROOMS.filter((room) => offered.some((scope) => scope.startsWith(`${room}.`))).map((room) => (
              <div key={room}>
                <div>
                  <Text fw={550}>{t(`room.${room}`)}</Text>
                  <Text fz={13} c="dimmed">
                    {t(role === 'affiliate' ? `room.${room}.own` : `room.${room}.about`)}
                  </Text>
                </div>
                <SegmentedControl
                  size="xs"
                  aria-label={t(`room.${room}`)}
                  value={levelOf(room)}
                  onChange={(level) => choose(room, level)}
                  data={(['none', 'read', 'write'] as const)
                    .filter((level) => level === 'none' || offered.includes(`${room}.${level}`))
                    .map((level) => ({ value: level, label: t(`scope.${level}`) }))}
                />
              </div>
            ))}
          </div>
        </Input.Wrapper>
        {role === 'affiliate' && (
          <ReferencesField
            of={form}
            name="offer_uuids"
            label={t('keys.offers')}
            help={t('keys.offersHelp')}
            placeholder={t('keys.offersAny')}
            endpoint={offerApi.options}
            only={{ type: 'api' }}
          />
        )}
        <SelectField
          of={form}
          name="days"
          label={t('keys.ends')}
          options={LIVES.map((days) => ({ value: days, label: t(`keys.days.${days}`) }))}
          unset={t('keys.days.never')}
        />
        <TagsField
          of={form}
          name="allowed_ips"
          label={t('keys.addresses')}
          help={t('keys.addressesHelp')}
          placeholder={t('addresses.anywhere')}
        />
        <input type="text" hidden readOnly autoComplete="username" value={email} />
        <PasswordField
          of={form}
          name="password"
          label={t('password')}
          help={t('keys.passwordHelp')}
          autoComplete="current-password"
          required
        />
        {secondFactor && <TextField of={form} name="code" label={t('code')} help={t('codeHelp')} autoComplete="one-time-code" required />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={form.saving}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={form.saving}>
            {t('keys.make')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
